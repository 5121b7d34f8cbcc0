"""The Makefile: what it builds, when it builds again, and what it leaves."""

import os
import re
import shutil
import subprocess
import time

import pytest

from conftest import KERNEL_FILES, ROOT, run


@pytest.fixture
def clone(tmp_path):
    """The files that git knows or would take, as a fresh clone has them, with one small kernel file instead of all."""
    listed = run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT).stdout.split("\n")
    for name in filter(None, listed):
        if name.endswith(".cu") and "/" not in name or name.startswith(("tests/", "results/")) or not (ROOT / name).exists():
            continue
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tmp_path / name)
    shutil.copy2(ROOT / "tests/broken/twice.h", tmp_path / "twice.h")
    small = (ROOT / "tests/broken/off_by_one.cu").read_text().replace("i < N - 1", "i < N")
    (tmp_path / "small.cu").write_text(small)
    return tmp_path


def make(folder, *arguments, **environment):
    variables = {key: value for key, value in os.environ.items() if not key.startswith("MAKE") and key not in ("MFLAGS", "NVCC", "ARCH")}
    return run(["make", *arguments], cwd=folder, env={**variables, **environment})


FAST = "NVCCFLAGS=-O0"


def test_builds_again_only_when_it_must(clone):
    first = make(clone, "small", "NVCC=cpu/nvcc", FAST)
    assert first.returncode == 0 and "small.cu" in first.stdout, first.stderr
    assert "up to date" in make(clone, "small", "NVCC=cpu/nvcc", FAST).stdout
    for changed in ["harness/compare.h", "common.h", "twice.h", "cpu/include/cuda_runtime.h"]:
        time.sleep(0.01)
        os.utime(clone / changed)
        assert "small.cu" in make(clone, "-n", "small", "NVCC=cpu/nvcc", FAST).stdout, changed
        make(clone, "-t", "small", "NVCC=cpu/nvcc", FAST)
    assert "up to date" in make(clone, "small", "NVCC=cpu/nvcc", FAST).stdout
    assert "small.cu" in make(clone, "-n", "small", "NVCC=cpu/nvcc", "NVCCFLAGS=-O1").stdout
    os.utime(clone / "harness/gradcheck.h")
    os.utime(clone / "README.md") if (clone / "README.md").exists() else None


def test_compiler_and_architecture_are_prerequisites(clone):
    make(clone, "small", "NVCC=cpu/nvcc", FAST)
    (clone / "other").mkdir()
    (clone / "other/nvcc").write_text('#!/bin/sh\necho "other $@"\ntouch small\n')
    (clone / "other/nvcc").chmod(0o755)
    other = [f"NVCC={clone}/other/nvcc", FAST]
    assert "compute_90,code=sm_90" in make(clone, "small", "ARCH=90", *other).stdout
    assert "up to date" in make(clone, "small", "ARCH=90", *other).stdout
    assert "compute_80,code=sm_80" in make(clone, "small", "ARCH=80", *other).stdout


def test_clean_leaves_the_tree_clean(clone):
    before = {path for path in clone.rglob("*")}
    assert make(clone, "small", "NVCC=cpu/nvcc", FAST).returncode == 0
    assert (clone / "small").exists()
    assert make(clone, "compile_commands.json").returncode == 0
    assert make(clone, "clean").returncode == 0
    assert {path for path in clone.rglob("*")} == before


def test_run_ends_in_the_summary_and_passes_failure_on(clone):
    result = make(clone, "run", "NVCC=cpu/nvcc", FAST, "ARGS=N=1000")
    assert result.returncode == 0, result.stdout + result.stderr
    summary = result.stdout[result.stdout.index("summary, f32 on CPU") :]
    assert re.search(r"ok +small +1 of 1 ok", summary) and "N=1000" in result.stdout
    (clone / "small.cu").write_text((ROOT / "tests/broken/off_by_one.cu").read_text())
    result = make(clone, "run", "NVCC=cpu/nvcc", FAST)
    assert result.returncode == 2 and re.search(r"WRONG +small +0 of 1 ok", result.stdout)  # 2: make's own for a failed recipe


def test_help_names_every_target(clone):
    text = make(ROOT, "help").stdout
    for target in ["run", "test", "clean", "all_gpu", "compile_commands.json", "KERNEL.ptx", "NVCC=", "ARCH=", *KERNEL_FILES]:
        assert target in text
    targets = set(re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.M))
    for target in " ".join(targets).split():
        assert target == "FORCE" or target in text


def test_cpu_is_chosen_without_nvcc(clone):
    tools = clone / "bin"
    tools.mkdir()
    for tool in ["sh", "bash", "make", "python3", "g++", "getconf", "mkdir", "cmp", "echo", "head", "tr", "sed", "grep", "awk",
                 "as", "ld", "ar", "rm", "env", "cat", "find"]:  # fmt: skip
        if found := shutil.which(tool):
            (tools / tool).symlink_to(os.path.realpath(found) if tool != "python3" else "/usr/bin/python3"
                                      if os.path.exists("/usr/bin/python3") else os.path.realpath(found))  # fmt: skip
    result = make(clone, "small", FAST, PATH=str(tools))
    assert result.returncode == 0 and result.stdout.startswith("cpu/nvcc"), result.stdout + result.stderr
    assert make(clone, "small.ptx", PATH=str(tools)).returncode != 0


needs_nvcc = pytest.mark.skipif(not shutil.which("nvcc"), reason="no nvcc here")


@needs_nvcc
def test_ptx_and_sass(clone):
    assert make(clone, "small.ptx", "NVCC=nvcc", "ARCH=90").returncode == 0
    assert ".target sm_90" in (clone / "small.ptx").read_text()
    if not shutil.which("cuobjdump"):
        pytest.skip("no cuobjdump here: PTX was tried, SASS was not")
    assert make(clone, "small.sass", "NVCC=nvcc", "ARCH=90").returncode == 0
    assert "EXIT" in (clone / "small.sass").read_text()


@needs_nvcc
def test_all_gpu_compiles_every_kernel_file_for_every_architecture():
    result = make(ROOT, "all_gpu")
    assert result.returncode == 0 and "warning" not in result.stderr, result.stderr
    for name in KERNEL_FILES:
        assert (ROOT / f"build/gpu/{name}.o").exists()


def test_compile_commands(clone):
    assert make(clone, "compile_commands.json").returncode == 0
    if not shutil.which("clang++"):
        pytest.skip("no clang++ here: written, but not tried")
    import json

    entries = json.loads((clone / "compile_commands.json").read_text())
    assert [entry["file"] for entry in entries] == ["small.cu"]
    done = subprocess.run(entries[0]["arguments"] + ["-fsyntax-only"], cwd=entries[0]["directory"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
