"""The short form of tests/mutate.py: a few mutants of each kernel file must be caught, or be explained."""

import re
import sys

from conftest import ROOT, run


def test_mutants_are_caught():
    result = run([sys.executable, ROOT / "tests/mutate.py", "--short"], timeout=600)
    assert result.returncode == 0, result.stdout + result.stderr
    count, caught = map(int, re.search(r"(\d+) mutants: (\d+) caught", result.stdout).groups())
    assert count > 80 and caught > 0.8 * count


def test_mutants_are_the_same_in_every_run():
    lists = [run([sys.executable, ROOT / "tests/mutate.py", "--list"]).stdout for _ in range(2)]
    assert lists[0] == lists[1] and lists[0].count("\n") > 500
