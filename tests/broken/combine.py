#!/usr/bin/env python3
"""Prints one source file with all broken kernels, each in its own namespace: it builds in the time of two or three.

    python3 tests/broken/combine.py [--gpu] > build/broken.cu
    cpu/nvcc -O1 -I. build/broken.cu -o build/broken
    build/broken skips_tail --check          # as the program built from skips_tail.cu alone
    build/broken --plain skips_tail          # as that program built with plain_main.h

Without --gpu the files that only a GPU can run are left out.
"""

import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent

PROGRAM = """// made by tests/broken/combine.py
#define BRRR_NO_MAIN
{includes}
#include "tests/broken/plain_main.h"
{namespaces}
int main(int argc, char** argv) {{
    struct {{
        std::string name;
        void (*define_problem)(Problem&);
    }} files[] = {{{entries}}};
    bool plain = argc > 2 && argv[1] == std::string("--plain");
    for (const auto& file : files) {{
        if (argc < 2 || argv[1 + plain] != file.name) {{ continue; }}
        return plain ? plain_check(file.define_problem) : brrr::run_main(argc - 1, argv + 1, file.define_problem);
    }}
    std::fprintf(stderr, "usage: broken [--plain] NAME [arguments]\\n");
    return 4;
}}
"""


def combine(files: list[pathlib.Path]) -> str:
    """The source of a program NAME [arguments], for the names of these files."""
    # The standard library's headers and the harness's must not be read first inside a namespace.
    includes = {line for file in files for line in re.findall(r'^#include (?:<.*|"harness/.*)', file.read_text(), re.M)}
    return PROGRAM.format(includes="\n".join(sorted(includes)),
                          namespaces="\n".join(f'namespace {file.stem} {{\n#include "{file}"\n}}' for file in files),
                          entries=", ".join(f'{{"{file.stem}", {file.stem}::define_problem}}' for file in files))  # fmt: skip


def broken_files(gpu: bool) -> list[pathlib.Path]:
    return [file for file in sorted(FOLDER.glob("*.cu")) if gpu or "// on the CPU: skipped" not in file.read_text()]


if __name__ == "__main__":
    print(combine(broken_files("--gpu" in sys.argv)), end="")
