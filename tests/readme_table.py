#!/usr/bin/env python3
"""Writes the results table of README.md from results/h200/*.json, between its two markers: python3 tests/readme_table.py"""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "results/h200"


def table() -> str:
    peers = {(row["operation"], row["dtype"], row["size"], row["peer"]): row["gbps"]
             for row in json.loads((RESULTS / "peers.json").read_text())["rows"]}  # fmt: skip
    lines = ["| | | copy | brrr | of copy | cuBLAS | PyTorch | Triton |", "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for size in ["2^24", "2^28"]:
        for dtype in ["f32", "bf16"]:
            for file in sorted(RESULTS.glob(f"*-{dtype}-{size.replace('^', 'p')}.json")):
                result = json.loads(file.read_text())
                name = result["context"]["executable"]
                best = min((row for row in result["benchmarks"] if not row["baseline"]), key=lambda row: row["real_time"])
                cublas = [f"{row['bytes_per_second'] / 1e9:.0f}" for row in result["benchmarks"] if row["baseline"]]
                cells = [name, f"{dtype} {size}", f"{result['context']['copy_bytes_per_second'] / 1e9:.0f}",
                         f"{best['bytes_per_second'] / 1e9:.0f}", f"{best['of_copy'] * 100:.1f}%", *(cublas or ["-"]),
                         *(f"{peers[name, dtype, size, peer]:.0f}" for peer in ["PyTorch", "Triton"])]  # fmt: skip
                lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def with_table(readme: str) -> str:
    return re.sub(r"(<!-- table: .*? -->\n).*?(<!-- end of table -->)", lambda m: m[1] + table() + "\n" + m[2], readme, flags=re.S)


if __name__ == "__main__":
    (ROOT / "README.md").write_text(with_table((ROOT / "README.md").read_text()))
