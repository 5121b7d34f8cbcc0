"""What the tests share: building kernel files with cpu/nvcc once per run, and running them."""

import os
import pathlib
import re
import subprocess

import pytest
from filelock import FileLock

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = ROOT / "build" / "tests"
KERNEL_FILES = sorted(path.stem for path in ROOT.glob("*.cu"))
DTYPES = ["f32", "f64", "f16", "bf16"]


def run(command, **options) -> subprocess.CompletedProcess:
    """Runs a command and captures its output as text; never asks for a terminal."""
    command = [str(part) for part in command]
    return subprocess.run(command, capture_output=True, text=True, stdin=options.pop("stdin", subprocess.DEVNULL),
                          timeout=options.pop("timeout", 300), **options)  # fmt: skip


def build(source, out=None, flags=("-O1",)) -> pathlib.Path:
    """Builds a .cu with cpu/nvcc, unless a test of this run (another worker's too) already has."""
    source = pathlib.Path(source)
    out = pathlib.Path(out or BIN / source.stem)
    out.parent.mkdir(parents=True, exist_ok=True)
    stamp = out.with_suffix(".built")
    with FileLock(str(out) + ".lock"):
        run_id = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
        if not (stamp.exists() and stamp.read_text() == run_id):
            result = run([ROOT / "cpu/nvcc", *flags, "-std=c++17", "-I", ROOT, source, "-o", out, "-lcublas"])
            assert result.returncode == 0, result.stderr
            stamp.write_text(run_id)
    return out


@pytest.fixture(scope="session", params=KERNEL_FILES)
def kernel(request) -> pathlib.Path:
    """Every kernel file's program, built as users build it."""
    return build(ROOT / f"{request.param}.cu", flags=("-O3", "--use_fast_math"))


@pytest.fixture(scope="session")
def sigmoid() -> pathlib.Path:
    return build(ROOT / "sigmoid_forward.cu", flags=("-O3", "--use_fast_math"))


@pytest.fixture(scope="session")
def backward() -> pathlib.Path:
    return build(ROOT / "sigmoid_backward.cu", flags=("-O3", "--use_fast_math"))


def versions_of(program) -> dict[int, str]:
    """The versions and their descriptions, as --list prints them."""
    listing = run([program, "--list"])
    assert listing.returncode == 0, listing.stderr
    lines = re.findall(r"^  version (\d+)    (.*?)(?: \((?:baseline|block sizes|skipped|needs).*)?$", listing.stdout, re.M)
    return {int(number): text for number, text in lines}


class Probe:
    """Asks tests/unit/probe.cu."""

    def __init__(self, program):
        self.program = program

    def __call__(self, *questions: str) -> list[str]:
        result = subprocess.run([self.program], input="\n".join(questions) + "\n", capture_output=True, text=True, timeout=120)
        assert result.returncode == 0, result.stderr
        answers = result.stdout.splitlines()
        assert len(answers) == len(questions)
        return answers


@pytest.fixture(scope="session")
def probe() -> Probe:
    return Probe(build(ROOT / "tests/unit/probe.cu"))
