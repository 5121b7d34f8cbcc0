"""No false alarm: tests/right/*.cu must pass in every dtype, with several seeds; and what a check says of itself."""

import re

import pytest

from conftest import BIN, DTYPES, ROOT, build, run

FILES = sorted((ROOT / "tests/right").glob("*.cu"))


@pytest.mark.parametrize("source", FILES, ids=lambda path: path.stem)
def test_right_kernels_pass(source):
    program = build(source, BIN / "right" / source.stem, flags=("-O3",))
    small = ["N=1500"] if source.stem == "axpy" else ["rows=37", "cols=41"]
    for dtype in DTYPES:
        for seed in range(2):
            result = run([program, *small, "--check", "--dtype", dtype, "--seed", seed])
            assert result.returncode == 0, f"{dtype}, seed {seed}\n{result.stdout}{result.stderr}"


def test_shipped_kernels_pass_with_other_seeds():
    for name in ["vec_add", "square_matrix", "sigmoid_forward", "sigmoid_backward"]:
        build(ROOT / f"{name}.cu", flags=("-O3", "--use_fast_math"))
    programs = [BIN / name for name in ["vec_add", "square_matrix", "sigmoid_forward", "sigmoid_backward"]]
    result = run(["python3", ROOT / "tests/seeds.py", "2", *(path.name for path in programs)], cwd=BIN)
    assert result.returncode == 0 and "32 runs: 4 programs, 4 dtypes, 2 seeds; 0 refused" in result.stdout, result.stdout


def test_quick_says_what_it_leaves_out_and_full_does_more(sigmoid):
    def runs(*arguments):
        result = run([sigmoid, "4", "N=100", *arguments])
        assert result.returncode == 0
        return int(re.search(r"(\d+) runs, worst", result.stdout).group(1)), result.stdout

    quick, standard, full = runs("--check=quick"), runs("--check"), runs("--check=full")
    assert quick[0] < standard[0] < full[0]
    assert "leaves out: second launches, repeats, changed inputs" in quick[1] and "leaves out" not in standard[1]
    assert re.search(r"checked in [\d.]+ s, of which [\d.]+ s went into inputs and reference", standard[1])
