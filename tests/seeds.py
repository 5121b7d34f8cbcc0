#!/usr/bin/env python3
"""No false alarm: checks kernel programs with many seeds in every dtype, at a small timed size.

    python3 tests/seeds.py COUNT PROGRAM... [--jobs N]

On a GPU few jobs are faster than many: programs that share it take turns.
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys


def check(program: str, dtype: str, seed: int) -> tuple[str, subprocess.CompletedProcess]:
    size = ["rows=37", "cols=41"] if program == "square_matrix" else ["N=1500"]
    command = [f"./{program}", *size, "--check", "--dtype", dtype, "--seed", str(seed)]
    return " ".join(command), subprocess.run(command, capture_output=True, text=True)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    count, programs = arguments.count, arguments.programs
    runs = [(program, dtype, seed) for seed in range(1, count + 1) for program in programs for dtype in ["f32", "f64", "f16", "bf16"]]
    refused = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as workers:
        for done, (command, result) in enumerate(workers.map(lambda run: check(*run), runs), 1):
            if result.returncode != 0:
                refused += 1
                print(f"refused ({result.returncode}): {command}\n{result.stdout}{result.stderr}", flush=True)
            if sys.stderr.isatty():
                print(f"\r{done} of {len(runs)}", end="", file=sys.stderr)
    print(f"{len(runs)} runs: {len(programs)} programs, 4 dtypes, {count} seeds; {refused} refused")
    return refused > 0


if __name__ == "__main__":
    sys.exit(main())
