"""Every shipped kernel file: all versions right in every dtype, what it prints and writes, its comment, its nvcc line."""

import csv
import json
import re
import shutil

import pytest

from conftest import BIN, DTYPES, KERNEL_FILES, ROOT, run, versions_of

BLOCKS = [32, 64, 128, 256, 512, 1024]


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_version_is_right(kernel, dtype, tmp_path):
    result = run([kernel, "--check", "--dtype", dtype, "--json", tmp_path / "out.json"])
    assert result.returncode == 0, result.stdout + result.stderr
    checks = json.loads((tmp_path / "out.json").read_text())["checks"]
    assert [check["version"] for check in checks] == list(versions_of(kernel))
    for check in checks:
        if check["version"] == 0 and dtype in ("f16", "bf16"):
            assert check["status"] == "skipped" and "16-bit" in check["reason"]
        else:
            assert check["status"] == "ok" and check["comparisons"] > 50
            assert check["worst_ulp"] <= (10 if dtype == "f32" else 4)


def test_times_and_files(kernel, tmp_path):
    result = run([kernel, "--json", tmp_path / "out.json", "--csv", tmp_path / "out.csv"])
    assert result.returncode == 0 and result.stderr == ""
    assert "CPU times and say nothing about a GPU" in result.stdout
    data = json.loads((tmp_path / "out.json").read_text())
    assert data["context"]["backend"] == "cpu" and data["context"]["status"] == "ok"
    rows = data["benchmarks"]
    for row in rows:
        assert row["real_time"] >= row["min_time"] > 0 and row["iterations"] >= 5 and row["time_unit"] == "us"
        assert row["bytes_per_second"] == pytest.approx(data["context"]["bytes"] / row["real_time"] * 1e6, rel=1e-4)
        assert row["of_copy"] == pytest.approx(row["bytes_per_second"] / data["context"]["copy_bytes_per_second"], rel=1e-4)
        block = f"/block:{row['block_size']}" if row["block_size"] else ""
        assert row["name"] == row["run_name"] and row["name"].startswith(f"{kernel.name}/{row['version']}/f32/")
        assert row["name"].endswith(block)
        assert row["baseline"] == (row["block_size"] == 0)
    blocks = {version: [row["block_size"] for row in rows if row["version"] == version] for version in versions_of(kernel)}
    for version, tried in blocks.items():
        special = [64, 256, 1024] if (kernel.name, version) == ("square_matrix", 1) else BLOCKS
        assert tried == ([0] if version == 0 else special)
    with open(tmp_path / "out.csv") as file:
        table = list(csv.DictReader(file))
    assert [row["name"] for row in table] == [row["name"] for row in rows]
    for row, same in zip(table, rows):
        assert float(row["real_time"]) == pytest.approx(same["real_time"]) and row["label"] == same["label"]
    best = min(rows, key=lambda row: row["real_time"])
    assert f"fastest: {best['version']}" in result.stdout.splitlines()[-1]
    assert result.stdout.count("<- best") == len([tried for tried in blocks.values() if len(tried) > 1])


def test_the_same_seed_gives_the_same_run(kernel):
    def worst(seed):
        result = run([kernel, "--check", "--seed", seed])
        return re.findall(r"worst .*", result.stdout)

    assert worst(7) == worst(7) != worst(8)


@pytest.mark.parametrize("name", KERNEL_FILES)
def test_header_comment_says_what_list_says(name):
    from conftest import build

    program = build(ROOT / f"{name}.cu", flags=("-O3", "--use_fast_math"))
    comment = (ROOT / f"{name}.cu").read_text().split("*/")[0]
    described = {int(number): " ".join(text.split()) for number, text in
                 re.findall(r"^version (\d+) (.*?)\n\./", comment, re.M | re.S)}  # fmt: skip
    listed = versions_of(program)
    assert list(described) == list(listed)
    for number, text in listed.items():
        assert described[number].endswith(": " + text), f"version {number}: '{described[number]}' against '{text}'"
        assert re.search(rf"^\./{name} {number}$", comment, re.M)


@pytest.mark.parametrize("name", KERNEL_FILES)
def test_bare_nvcc_line(name, tmp_path):
    line = re.search(r"^nvcc .*", (ROOT / f"{name}.cu").read_text(), re.M).group(0)
    assert f"{name}.cu -o {name}" in line
    out = BIN / "bare" / name
    out.parent.mkdir(parents=True, exist_ok=True)
    words = line.replace(f"-o {name}", f"-o {out}").split()
    on_cpu = run([ROOT / "cpu/nvcc", *words[1:]], cwd=ROOT)
    assert on_cpu.returncode == 0 and on_cpu.stderr == ""
    if not shutil.which("nvcc"):
        pytest.skip("no nvcc here: the line was tried with cpu/nvcc only")
    with_nvcc = run(words, cwd=ROOT)
    assert with_nvcc.returncode == 0, with_nvcc.stderr


def test_gradient_check(backward):
    result = run([backward, "--gradcheck"])
    assert result.returncode == 0 and result.stdout.count("  ok  ") == len(versions_of(backward))
    assert "gradient's tolerance" in result.stdout


def test_sigmoid_at_the_extremes(sigmoid):
    """+-100000, infinities, NaN, zeros and denormals are among the special values of every check (test_parts.py)."""
    result = run([sigmoid, "--check", "--thorough"])
    assert result.returncode == 0, result.stdout
