"""What the documents say is so: the tutorial is carried out, the commands and links exist, the table is current."""

import os
import re
import shutil

import pytest

import readme_table
from conftest import ROOT, run

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(text: str) -> list[tuple[str, str]]:
    """The fenced blocks of a document: (language, content)."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S)


@pytest.fixture
def copy(tmp_path):
    """The tree without kernel files, to write one into."""
    for name in ["Makefile", "common.h", "harness", "cpu"]:
        source = ROOT / name
        shutil.copytree(source, tmp_path / name) if source.is_dir() else shutil.copy2(source, tmp_path / name)
    return tmp_path


def place(file: str, block: str) -> str:
    """Puts a block of the tutorial where its text says."""
    if block.startswith("/*"):
        return block
    if "__global__" in block:
        before = "// " + "-" * 76 + "\n// kernel launchers"
    elif "p.version(" in block:
        return re.sub(r"(    p\.version\(1.*\n)", lambda m: m[1] + block, file)
    elif block.lstrip().startswith("else"):  # the tail, after the if of kernel 2
        head, tail = file.split("store128(out + i, x);\n    }\n")
        return head + "store128(out + i, x);\n    }\n" + block + tail
    else:
        before = "// " + "-" * 76 + "\n// the problem"
    assert file.count(before) == 1
    return file.replace(before, block + "\n" + before)


def test_the_tutorial_does_what_it_says(copy):
    file, commands = "", 0
    for language, content in blocks((ROOT / "docs/adding_a_kernel.md").read_text()):
        if language == "cuda":
            file = place(file, content)
            (copy / "relu_forward.cu").write_text(file)
            continue
        assert language == "console"
        output, environment = "", {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
        for line in content.splitlines():
            if line.startswith("$ "):
                result = run(["bash", "-c", line[2:]], cwd=copy, env={**environment, "NVCC": "cpu/nvcc"})
                output, commands = result.stdout, commands + 1
                assert result.returncode == (1 if "WRONG" in output else 0), result.stdout + result.stderr
            else:
                assert line in output, f"'{line}' is not in\n{output}"
    assert commands == 6


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_and_named_files_exist(document):
    text = re.sub(r"^```.*?^```$", "", document.read_text(), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert target.startswith("http") or (document.parent / target).exists(), target
    for path in re.findall(r"`((?:harness|cpu|tests|docs)/[\w./]+)`", text):
        assert (ROOT / path).exists(), path


def test_readme_commands(sigmoid):
    text = (ROOT / "README.md").read_text()
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"^    make (\w+) ", text, re.M):
        assert re.search(rf"^{target}:", makefile, re.M)
    help_text = run([sigmoid, "--help"]).stdout
    for option in set(re.findall(r"`?\./\w+[^\n`]*?(--[a-z-]+)", text)):
        assert option in help_text


def test_readme_shows_what_the_program_prints(sigmoid):
    """The table's title lines, letter by letter; its numbers are those of an H200."""
    text = (ROOT / "README.md").read_text()
    source = (ROOT / "harness/report.h").read_text()
    for line in ["  version  block     time us      GB/s  of copy   noise  registers  shared B  occupancy"]:
        assert line in text and line in source
    assert "  <- best" in text and "  ok     version 4  exp2 with a correction" in text
    assert "  ok     version 4  exp2 with a correction" in run([sigmoid, "4", "--check"]).stdout


def test_readme_table_is_current():
    readme = (ROOT / "README.md").read_text()
    assert readme_table.with_table(readme) == readme, "stale: run python3 tests/readme_table.py"
    assert readme.count("| sigmoid_forward |") == 4


def test_nothing_is_left_to_do_in_silence():
    """No marker of unfinished work in what is shipped."""
    listed = run(["git", "ls-files"], cwd=ROOT).stdout.split()
    for name in listed:
        if name.endswith((".h", ".cu", ".cpp", ".py", ".md")) and name != "tests/test_docs.py" and (ROOT / name).exists():
            assert not re.search(r"\b(TODO|FIXME|XXX)\b", (ROOT / name).read_text()), name
