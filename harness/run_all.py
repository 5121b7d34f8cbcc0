#!/usr/bin/env python3
"""Runs kernel programs one after the other, then prints one summary table of the versions' best times.

usage: run_all.py PROGRAM... [-- ARGUMENT...]     the arguments go to every program

The exit status is the first program's that is not 0.
"""

import json
import pathlib
import subprocess
import sys


def summary_row(name: str, status: int, result: dict) -> list[str]:
    """Verdict, program, and its fastest version with the figures that matter."""
    verdict = {0: "ok", 1: "WRONG"}.get(status, "ERROR")
    checks = result.get("checks", [])
    ok = sum(check["status"] == "ok" for check in checks)
    skipped = sum(check["status"] == "skipped" for check in checks)
    versions = f"{ok} of {len(checks)} ok" + (f", {skipped} skipped" if skipped else "")
    rows = [row for row in result.get("benchmarks", [])]
    if not rows:
        return [verdict, name, versions, "-", "-", "-", "-", "-", "-"]
    best = min(rows, key=lambda row: row["real_time"])
    naive = [row["real_time"] for row in rows if row["version"] == 1]
    baseline = [row["real_time"] for row in rows if row["baseline"]]

    def over(times: list[float]) -> str:
        return f"{min(times) / best['real_time']:.2f}x" if times else "-"

    rate = best["bytes_per_second"] / 1e9
    fastest = f"{best['version']} at {best['block_size']}" if best["block_size"] else str(best["version"])
    return [verdict, name, versions, fastest, f"{best['real_time']:.2f}", f"{rate:.{0 if rate > 99 else 2}f}",
            f"{best['of_copy'] * 100:.1f}%", over(naive), over(baseline)]  # fmt: skip


def main() -> int:
    arguments = sys.argv[1:]
    split = arguments.index("--") if "--" in arguments else len(arguments)
    programs, passed_on = arguments[:split], arguments[split + 1 :]
    if not programs:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    folder = pathlib.Path("build/run")
    folder.mkdir(parents=True, exist_ok=True)
    first_failure, rows, context = 0, [], {}
    for program in programs:
        file = folder / f"{pathlib.Path(program).name}.json"
        file.unlink(missing_ok=True)  # a result of an earlier run must not stand in for this one's
        sys.stdout.flush()
        status = subprocess.run([f"./{program}", *passed_on, "--json", str(file)]).returncode
        print("", flush=True)
        result = json.loads(file.read_text()) if file.exists() and file.stat().st_size else {}
        context = result.get("context", context)
        rows.append(summary_row(program, status, result))
        first_failure = first_failure or status
    titles = ["", "kernel file", "versions", "fastest", "time us", "GB/s", "of copy", "over v1", "over baseline"]
    widths = [max(len(row[c]) for row in [titles, *rows]) for c in range(len(titles))]
    where = context.get("device", "no device")
    note = ": CPU times, which say nothing about a GPU" if context.get("backend") == "cpu" else ""
    print(f"summary, {context.get('dtype', '')} on {where}{note}")
    for row in [titles, *rows]:
        cells = [text.ljust(width) if c < 4 else text.rjust(width) for c, (text, width) in enumerate(zip(row, widths))]
        print("  " + "  ".join(cells).rstrip())
    print(f"results in {folder}/*.json")
    return first_failure if first_failure >= 0 else 1


if __name__ == "__main__":
    sys.exit(main())
