#!/usr/bin/env python3
"""Prints compile_commands.json for kernel files: how clangd and clang-tidy read them without a CUDA Toolkit.

clang's own CUDA mode parses the launches; the headers are those of CUDA on the CPU.
"""

import json
import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
ARGUMENTS = ["clang++", "-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-std=c++17", "-Wall", "-Wextra",
             "-Wno-unknown-cuda-version", "-I.", "-isystem", str(here / "include"), "-include", "cuda_runtime.h"]  # fmt: skip
entries = [dict(directory=str(here.parent), file=name, arguments=[*ARGUMENTS, name]) for name in sys.argv[1:]]
print(json.dumps(entries, indent=2))
