"""Each file of tests/broken/ has one planted bug: the check must refuse it and say why. Its comment says what must be said
(`caught`), and whether the check that most programs do, tests/broken/plain_main.h, would have let it pass."""

import pathlib
import re

import pytest
from filelock import FileLock

from broken.combine import broken_files, combine
from conftest import BIN, ROOT, build, run

FILES = broken_files(gpu=True)
ON_CPU = broken_files(gpu=False)
NAMES = {"caught", "plain check", "arguments", "status", "on a GPU", "on the CPU"}


def instructions(source: pathlib.Path) -> dict[str, str]:
    """What a file's comment says after each of the names."""
    return dict(re.findall(rf"^// ({'|'.join(NAMES)}): (.*)", source.read_text(), re.M))


@pytest.fixture(scope="session")
def broken() -> pathlib.Path:
    """One program of all files: broken [--plain] NAME [arguments]."""
    source = BIN / "broken" / "all.cu"
    source.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(str(source) + ".lock"):
        if not source.exists() or source.read_text() != combine(ON_CPU):
            source.write_text(combine(ON_CPU))
    return build(source)


@pytest.mark.parametrize("source", FILES, ids=lambda path: path.stem)
def test_is_caught(source, broken):
    says = instructions(source)
    if "on the CPU" in says:
        pytest.skip(says["on the CPU"].removeprefix("skipped, ") + "; tests/gpu.py runs it")
    result = run([broken, source.stem, *says.get("arguments", "--check").split(), "--seed", 1])
    output = result.stdout + result.stderr
    assert result.returncode == int(says.get("status", "1")), output
    assert re.search(says["caught"], output), f"{says['caught']}\n{output}"


@pytest.mark.parametrize("part", range(2))
def test_the_plain_check(part, broken):
    """Whether it passes the usual check is as the file says; for three in four it does."""
    for source in ON_CPU[part::2]:
        result = run([broken, "--plain", source.stem])
        assert result.returncode in (0, 1) and result.stderr == "", result.stderr
        assert f"plain check: {instructions(source)['plain check']}" in result.stdout, f"{source.stem}: {result.stdout}"


def test_what_the_files_say():
    assert len(FILES) >= 40
    for source in FILES:
        says = instructions(source)
        assert says.get("plain check") in ("passes", "fails") and says.get("caught"), source.stem
        assert not re.fullmatch(r"(WRONG.*)?elements are wrong", says["caught"]), f"{source.stem} names no cause"
    passing = [source for source in FILES if instructions(source)["plain check"] == "passes"]
    assert len(passing) >= 0.75 * len(FILES)


def test_a_file_alone():
    """Without combine.py: as its own program, and with the plain check's main."""
    source = ROOT / "tests/broken/skips_tail.cu"
    alone = run([build(source, BIN / "broken" / "alone"), "--check", "--block-size", "32"])
    assert alone.returncode == 1 and "never written" in alone.stdout
    plain = build(source, BIN / "broken" / "plain", flags=("-O1", "-include", ROOT / "tests/broken/plain_main.h"))
    assert run([plain]).stdout == "plain check: passes\n"
