"""The command line: every option, every refusal, exit statuses and streams."""

import json
import os
import pathlib
import pty
import re
import subprocess

import pytest

from conftest import ROOT, build, run

REFUSED = [
    (["7"], "no version 7; sigmoid_forward has versions 1 to 4"),
    (["-1"], "no option -1"),
    (["two"], "no version two; sigmoid_forward has versions 1 to 4"),
    (["list"], "did you mean --list?"),
    (["--lst"], "no option --lst; did you mean --list?"),
    (["--block-sizes", "32"], "no option --block-sizes; did you mean --block-size?"),
    (["--nothing-like-it"], "no option --nothing-like-it ("),
    (["--dtype", "f8"], "no dtype f8; sigmoid_forward has f32, f64, f16, bf16"),
    (["--dtype"], "--dtype needs a value"),
    (["--dtype="], "--dtype needs a value"),
    (["--check=yes"], "--check=yes: there are --check, --check=quick and --check=full"),
    (["--block-size", "100"], "no block size 100; choose multiples of 32 up to 1024"),
    (["--block-size", "2048"], "no block size 2048"),
    (["--block-size", "128,"], "a block size must be a whole number"),
    (["--block-size", "0"], "no block size 0"),
    (["M=4"], "no dimension M; sigmoid_forward has N"),
    (["n=4"], "no dimension n; sigmoid_forward has N; did you mean N?"),
    (["N=0"], "N must be a size of at least 1"),
    (["N=4X"], "N must be a size of at least 1, as 1000003, 2^24, 16M or 64Ki, not '4X'"),
    (["N=2^64"], "N=2^64 is over 2^64"),
    (["N=2^62"], "over 2^64 bytes"),
    (["N=5", "N=6"], "N is given twice"),
    (["--seed", "x"], "--seed must be a whole number below 2^64, not 'x'"),
    (["--gradcheck"], "sigmoid_forward has no gradient check"),
    (["--profile", "--check"], "--profile goes without --check"),
    (["--json", "/nonexistent/x.json"], "cannot write /nonexistent/x.json"),
    (["--csv", "/nonexistent/x.csv"], "cannot write /nonexistent/x.csv"),
]


@pytest.mark.parametrize("arguments, says", REFUSED, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_refused(sigmoid, arguments, says):
    result = run([sigmoid, *arguments])
    assert result.returncode == 2
    assert result.stdout == "" and result.stderr.startswith("sigmoid_forward: ") and result.stderr.count("\n") == 1
    assert says in result.stderr


def test_a_block_size_that_no_chosen_version_takes():
    square = build(ROOT / "square_matrix.cu", flags=("-O3", "--use_fast_math"))
    result = run([square, "1", "--block-size", "128"])
    assert result.returncode == 2 and "version 1, which takes block sizes 64, 256, 1024" in result.stderr
    result = run([square, "--block-size", "128", "--check"])
    assert result.returncode == 0 and re.search(r"skip +version 1 .*takes block sizes 64, 256, 1024", result.stdout)


def test_two_dimensions_and_their_limit():
    square = build(ROOT / "square_matrix.cu", flags=("-O3", "--use_fast_math"))
    result = run([square, "2", "rows=3", "cols=1000003", "--check"])
    assert result.returncode == 0 and "rows=3 cols=1000003" in result.stdout
    result = run([square, "rows=600000", "cols=2", "--check"])
    assert result.returncode == 0 and "needs at most 524280 rows" in result.stdout
    result = run([square, "rows=2^40", "cols=2^40"])
    assert result.returncode == 2 and "more than 2^64 elements" in result.stderr


def test_no_device(sigmoid):
    result = run([sigmoid, "--device", "5"])
    assert result.returncode == 3 and "there is no device 5; this machine has 1" in result.stderr


def test_too_large_is_said_beforehand_in_bytes(sigmoid, tmp_path):
    result = run([sigmoid, "N=2^42", "--json", tmp_path / "out.json"])
    assert result.returncode == 3 and re.search(r"N=4398046511104 needs \d{14,} bytes \([\d.]+ TiB\) of host memory", result.stderr)
    context = json.loads((tmp_path / "out.json").read_text())["context"]
    assert context["status"] == "error" and "bytes" in context["error"]


def test_help_and_list(sigmoid):
    text = run([sigmoid, "--help"])
    assert text.returncode == 0 and text.stderr == ""
    for option in re.findall(r"--[a-z-]+", (ROOT / "harness/cli.h").read_text().split("struct Options")[0]):
        assert option in text.stdout
    assert run([sigmoid, "-h"]).stdout == text.stdout
    listing = run([sigmoid, "--list", "N=2^30", "--dtype", "bf16"])
    assert listing.returncode == 0 and "version 4    exp2 with a correction" in listing.stdout
    assert "dimensions   N=1073741824" in listing.stdout and "1 ulp of bf16" in listing.stdout


def test_chosen_versions_sizes_and_blocks(sigmoid, tmp_path):
    result = run([sigmoid, "1", "3", "N=2^16", "--block-size", "128,256", "--dtype", "bf16", "--json", tmp_path / "o.json"])
    assert result.returncode == 0
    rows = json.loads((tmp_path / "o.json").read_text())["benchmarks"]
    assert [(row["version"], row["block_size"]) for row in rows] == [(1, 128), (1, 256), (3, 128), (3, 256)]
    assert rows[0]["name"] == "sigmoid_forward/1/bf16/N:65536/block:128"


def test_check_only_prints_no_time(sigmoid):
    result = run([sigmoid, "2", "--check"])
    assert result.returncode == 0 and "GB/s" not in result.stdout and "ok: 2" in result.stdout


def test_profile_launches_once_and_times_nothing(sigmoid):
    result = run([sigmoid, "2", "--profile", "--block-size", "64"])
    assert result.returncode == 0 and "launched version 2 at block size 64" in result.stdout
    assert "GB/s" not in result.stdout and "worst" not in result.stdout


def test_seed_is_printed_and_fresh(sigmoid):
    seeds = {re.search(r"--seed (\d+)", run([sigmoid, "2", "--check", "N=8"]).stdout).group(1) for _ in range(3)}
    assert len(seeds) == 3


def test_results_go_to_standard_output_without_colour_or_progress(sigmoid):
    result = run([sigmoid, "2", "--check"])
    assert "\033" not in result.stdout and result.stderr == "" and "\r" not in result.stdout


def on_a_terminal(command, environment):
    """What a command writes when its output is a terminal."""
    master, slave = pty.openpty()
    process = subprocess.Popen([str(word) for word in command], stdout=slave, stderr=slave, env=environment)
    os.close(slave)
    output = b""
    try:
        while chunk := os.read(master, 4096):
            output += chunk
    except OSError:  # the other side is closed
        pass
    process.wait()
    os.close(master)
    return output.decode()


def test_colour_and_progress_on_a_terminal(sigmoid):
    plain = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    shown = on_a_terminal([sigmoid, "2", "--check"], plain)
    assert "\033[32mok" in shown and "checking version 2" in shown
    assert "\033[3" not in on_a_terminal([sigmoid, "2", "--check"], {**plain, "NO_COLOR": "1"})


def test_writing_json_to_a_device_leaves_it_one(sigmoid):
    result = run([sigmoid, "2", "--check", "--json", "/dev/null"])
    assert result.returncode == 0 and not pathlib.Path("/dev/null").is_file()


def test_an_earlier_result_survives_a_refused_command_line(sigmoid, tmp_path):
    file = tmp_path / "out.json"
    file.write_text("precious")
    assert run([sigmoid, "9", "--json", file]).returncode == 2
    assert run([sigmoid, "--json", file, "--csv", "/nonexistent/x"]).returncode == 2
    assert file.read_text() == "precious"


def test_wrong_results_are_in_the_json():
    from conftest import BIN

    broken = build(ROOT / "tests/broken/skips_tail.cu", BIN / "broken" / "skips_tail")
    file = BIN / "skips_tail.json"
    assert run([broken, "--json", file]).returncode == 1
    data = json.loads(file.read_text())
    assert data["context"]["status"] == "wrong" and data["benchmarks"] == []
    assert data["checks"][0]["status"] == "wrong" and "never written" in " ".join(data["checks"][0]["failure"])
