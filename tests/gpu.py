#!/usr/bin/env python3
"""Builds, checks and times everything on a machine with a GPU and nvcc, in one call:

    python3 tests/gpu.py [OUTPUT_FOLDER] [--only build,run,check,right,broken,sanitizer,times]

Needs no package; tests/peers.py, which it runs for PyTorch's and Triton's numbers, needs those two. Writes the times as
JSON into the folder (default results/gpu) and prints a table of the fastest versions beside their peers. The exit status
is 1 if a step failed.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SIZES = {"2^24": {"square_matrix": "rows=4096 cols=4096"}, "2^28": {"square_matrix": "rows=16384 cols=16384"}}
DTYPES = ["f32", "f64", "f16", "bf16"]
KERNELS = sorted(path.stem for path in ROOT.glob("*.cu"))
failures = []


def step(title: str, command: str, status: int = 0, says: str = "", show: bool = False) -> str:
    """Runs a command that must end with this status and print what matches `says`."""
    begin = time.time()
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True)
    output = done.stdout + done.stderr
    good = done.returncode == status and re.search(says, output) is not None
    print(f"{'ok  ' if good else 'FAIL'} {time.time() - begin:6.1f} s  {title}", flush=True)
    if show or not good:
        print(output[-3000:] if good else f"  status {done.returncode}, {command}\n{output[-3000:]}", flush=True)
    if not good:
        failures.append(title)
    return output


def instruction(source: pathlib.Path, name: str, default: str = "") -> str:
    found = re.search(rf"^// {name}: (.*)", source.read_text(), re.M)
    return found.group(1) if found else default


def build() -> None:
    step("the GPU", "nvidia-smi --query-gpu=name,driver_version,clocks.sm,memory.total --format=csv", show=True)
    step("make builds with nvcc", "make clean && make", says="-gencode=arch=compute_")


def run() -> None:
    step("make run", "make run", says="summary, f32 on", show=True)
    step("profile", "ncu --clock-control none --profile-from-start off ./sigmoid_forward 4 --profile --block-size 128",
         says=r"sigmoid_forward_kernel4[\s\S]*Duration")  # fmt: skip
    step("one version", "./sigmoid_forward 4", says="sigmoid_forward: ok: 4; fastest: 4 at", show=True)


def check() -> None:
    for kernel in KERNELS:
        for dtype in DTYPES:
            step(f"{kernel} {dtype}", f"./{kernel} --check --thorough --dtype {dtype}")
    step("gradient check", "./sigmoid_backward --gradcheck", says="ok: 1, 2, 3, 4")
    step("over 2^31 elements", "./vec_add 1 4 N=2200000007 --dtype bf16 --check --block-size 256", says="ok: 1, 4")
    step("too large is refused", "./vec_add N=2^40", status=3, says="bytes")


def build_all(name: str) -> tuple[pathlib.Path, list[pathlib.Path]]:
    """Builds tests/NAME/*.cu, all cores at a time, since building is most of it."""
    folder = ROOT / "build" / name
    folder.mkdir(parents=True, exist_ok=True)
    sources = sorted((ROOT / "tests" / name).glob("*.cu"))
    lines = [f"nvcc -O1 -std=c++17 -arch=native -I. {source} -o {folder / source.stem} -lcublas" for source in sources]
    (folder / "lines").write_text("\n".join(lines))
    step(f"tests/{name} builds", f"xargs -P {os.cpu_count()} -d '\\n' -n 1 sh -c < {folder / 'lines'}")
    return folder, sources


def right() -> None:
    """No false alarm."""
    folder, sources = build_all("right")
    for source in sources:
        for dtype in DTYPES:
            step(f"right {source.stem} {dtype}", f"{folder / source.stem} --check=full --dtype {dtype}")
    step("50 seeds", f"python3 tests/seeds.py 50 {' '.join(KERNELS)} --jobs 2", says="; 0 refused", show=True)


def broken() -> None:
    """The planted bugs, on the GPU as well."""
    folder, sources = build_all("broken")
    for source in sources:
        if instruction(source, "on a GPU") == "may pass":
            print(f"     not run: {source.stem} may be right by chance on a GPU")
            continue
        step(f"planted bug {source.stem}", f"{folder / source.stem} {instruction(source, 'arguments', '--check')}",
             status=int(instruction(source, "status", "1")), says=instruction(source, "caught"))  # fmt: skip


def sanitizer() -> None:
    for tool in ["memcheck", "racecheck"]:
        for kernel in KERNELS:
            small = "rows=65 cols=33" if kernel == "square_matrix" else "N=2049"
            step(f"compute-sanitizer {tool} {kernel}", f"compute-sanitizer --tool {tool} ./{kernel} {small} --check --block-size 64",
                 says="ERROR SUMMARY: 0 errors|0 hazards")  # fmt: skip


def times(out: pathlib.Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for size in SIZES:
        for kernel in KERNELS:
            for dtype in ["f32", "bf16"]:
                file = out / f"{kernel}-{dtype}-{size.replace('^', 'p')}.json"
                arguments = SIZES[size].get(kernel, f"N={size}")
                step(f"{kernel} {dtype} {size}", f"./{kernel} {arguments} --dtype {dtype} --json {file}")
    step("peers", f"python3 tests/peers.py {out / 'peers.json'}", show=True)
    print_table(out)


def main() -> int:
    sections = ["build", "run", "check", "right", "broken", "sanitizer", "times"]
    parser = argparse.ArgumentParser()
    parser.add_argument("output", nargs="?", default=ROOT / "results/gpu", type=pathlib.Path)
    parser.add_argument("--only", type=lambda text: text.split(","), default=sections)
    arguments = parser.parse_args()
    if unknown := set(arguments.only) - set(sections):
        parser.error(f"no section {', '.join(unknown)}; there are {', '.join(sections)}")
    for section in arguments.only:
        globals()[section](arguments.output.resolve()) if section == "times" else globals()[section]()
    print(f"{len(failures)} failed: {', '.join(failures)}" if failures else "all steps passed")
    return bool(failures)


def print_table(out: pathlib.Path) -> None:
    """The fastest version of each kernel file over its peers, GB/s."""
    peers = json.loads((out / "peers.json").read_text())["rows"] if (out / "peers.json").exists() else []
    print(f"{'':18}{'dtype':6}{'size':6}{'copy':>7}{'fastest':>9}{'block':>6}{'GB/s':>7}{'of copy':>9}  peers, GB/s")
    for size in SIZES:
        for kernel in KERNELS:
            for dtype in ["f32", "bf16"]:
                result = json.loads((out / f"{kernel}-{dtype}-{size.replace('^', 'p')}.json").read_text())
                best = min(result["benchmarks"], key=lambda row: row["real_time"])
                library = [row for row in result["benchmarks"] if row["baseline"]]
                beside = {row["peer"]: row["gbps"] for row in peers
                          if (row["operation"], row["dtype"], row["size"]) == (kernel, dtype, size)}  # fmt: skip
                if library:
                    beside["cuBLAS"] = library[0]["bytes_per_second"] / 1e9
                rate = best["bytes_per_second"] / 1e9
                print(f"{kernel:18}{dtype:6}{size:6}{result['context']['copy_bytes_per_second'] / 1e9:7.0f}{best['version']:9}"
                      f"{best['block_size']:6}{rate:7.0f}{100 * best['of_copy']:8.1f}%  "
                      + ", ".join(f"{name} {value:.0f} ({rate / value:.3f})" for name, value in beside.items()))  # fmt: skip


if __name__ == "__main__":
    os.environ.setdefault("NO_COLOR", "1")
    sys.exit(main())
