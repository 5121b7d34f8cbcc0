"""Each file of tests/broken/ has one planted bug: the check must refuse it and say why."""

import pathlib
import re

import pytest

from conftest import BIN, ROOT, build, run

FILES = sorted((ROOT / "tests/broken").glob("*.cu"))


def instruction(source: pathlib.Path, name: str, default: str = "") -> str:
    """What a file's comment says after `name:`."""
    found = re.search(rf"^// {name}: (.*(?:\n//  .*)*)", source.read_text(), re.M)
    return found.group(1) if found else default


@pytest.mark.parametrize("source", FILES, ids=lambda path: path.stem)
def test_is_caught(source):
    program = build(source, BIN / "broken" / source.stem, flags=("-O1",))
    result = run([program, *instruction(source, "arguments", "--check").split()])
    assert result.returncode == int(instruction(source, "status", "1")), result.stdout + result.stderr
    expected = instruction(source, "caught")
    assert expected and re.search(expected, result.stdout + result.stderr), result.stdout + result.stderr


# Bugs planted in the shipped kernels, one a version: (version, what stands there, what to put, what the check says).
SHIPPED = {
    "vec_add": [
        (1, "if (i < N) { out[i] = add(a[i], b[i]); }", "out[i] = i < N / 32 * 32 ? add(a[i], b[i]) : out[i];", "never written"),
        (2, "i < N; i += stride) { out[i]", "i < N; i += stride) { out[i] = NAN; if (false) out[i]", "NaN where"),
        (3, "for (; i < N; i += stride) {", "if (i + Packed128<T>::size <= N) {", "never written"),
        (4, "<<<ceil_div(N, block_size * Packed128<T>::size), block_size>>>",
         "<<<std::max(1, ceil_div(N, block_size * Packed128<T>::size) - 1), block_size>>>", "to the end|last"),
    ],
    "square_matrix": [
        (1, "if (r < rows && c < cols) {", "if (r < rows && c < cols / 2 * 2) {", "column|never written"),
        (2, "out[i] = square(inp[i]); }\n}", "out[i] = square(inp[i]) * (T)NAN; }\n}", "NaN where"),
        (3, "for (; i < N; i++) { out[i] = square(inp[i]); }", "", "never written"),
        (4, "x[k] = square(x[k])", "x[k] = k == 2 ? x[k] : square(x[k])", "every 4th from|elements are wrong"),
    ],
    "sigmoid_forward": [
        (1, "if (i < N) {", "if (i < N && blockIdx.x + 1 < gridDim.x) {", "never written"),
        (2, "(T)sigmoid((compute_t<T>)inp[i])", "(T)(NAN * sigmoid((compute_t<T>)inp[i]))", "NaN where"),
        (3, "for (; i < N; i++)", "for (; i + 1 < N; i++)", "never written"),
        (4, "fminf(fmaxf(r, -1e-4f), 1e-4f)", "r", "special values"),
    ],
    "sigmoid_backward": [
        (1, "(compute_t<T>)dout[i] * local[i]", "(compute_t<T>)dout[i] * local[i] * (compute_t<T>)1.01", "worst error"),
        (2, "dinp[i] = sigmoid_backward(dout[i], out[i]); }\n}", "dinp[i] = sigmoid_backward(out[i], dout[i]); }\n}", "elements are wrong"),
        (3, "v < vectors; v++", "v < vectors - 1; v++", "elements are wrong"),
        (4, "load128(dout + i), s = load128(out + i)", "load128(dout + i), s = load128(out)", "elements are wrong"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", SHIPPED)
def test_bugs_in_the_shipped_kernels_are_caught(name):
    text = (ROOT / f"{name}.cu").read_text()
    for version, old, new, _ in SHIPPED[name]:
        kernel = re.search(rf"__global__ void \w+kernel{version}\b", text).start()
        launcher = text.index(f"void {name}{version}(")
        start = text.find(old, launcher if old.startswith("<<<") else kernel)
        if start < 0:  # a function that the kernel calls
            start = text.find(old)
        assert start >= 0, f"{name}.cu has no '{old}' in version {version}; change this test with it"
        text = text[:start] + new + text[start + len(old) :]
    source = BIN / "mutants" / f"{name}.cu"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(text)
    program = build(source, source.with_suffix(""), flags=("-O1",))
    for version, _, _, says in SHIPPED[name]:
        result = run([program, version, "--check", "--seed", "1"])
        assert result.returncode == 1, f"version {version}: {result.stdout}{result.stderr}"
        assert "WRONG" in result.stdout and re.search(says, result.stdout), result.stdout
