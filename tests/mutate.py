#!/usr/bin/env python3
"""Plants mutations in copies of the shipped kernel files, one at a time, and shows that the check catches them:

    python3 tests/mutate.py              # all of them: minutes
    python3 tests/mutate.py --short      # a few of each kind, the same in every run
    python3 tests/mutate.py vec_add      # of one file
    python3 tests/mutate.py --list       # only say what would be planted

Every rule below is applied wherever it fits in a file's kernels and launchers. A mutant is checked in the first version
that runs the changed line. Those that survive must be explained in EQUIVALENT; one that is not, or an explanation that
explains nothing, or a mutant that is caught although it is explained as equivalent, is an error (exit status 1).
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import itertools
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from broken.combine import combine  # noqa: E402

OUT = ROOT / "build" / "mutants"
CORES = os.cpu_count() or 1

# Mutants that change no result, by their titles, and why.
EQUIVALENT = [
    (r"bound one less: if \((i|begin \+ \(vectors - 1\) \* step) \+ size\[ <= -> < \]N", "the last full vector is done by the tail's loop"),
    (r"kernel3, plus for minus: if \(begin \+ \(vectors\[ - -> \+ \]1\)", "more of the vectors are done by the tail's loop"),
    (r"bound one further: for \(size_t i = begin \+ v \* step; i\[ < -> <= \]begin",
     "the element behind a vector is written twice, with the same value"),
    (r"number: .*vectors = \[4 -> 5\]", "five vectors a thread, in a grid that has enough blocks for four"),
    (r"plus for times: .*ceil_div\(N, [^)]*\[ \* -> \+ \]", "more blocks than needed, which find nothing to do"),
    (r"arguments swapped: product_kernel1", "the factors of a product in another order"),
    (r"vec_add \w+, operands swapped: .*add\(", "the terms of a sum in another order"),
    (r"vec_add vec_add\d, arguments swapped", "the terms of a sum in another order"),
    (r"vec_add_kernel3, bound one further", "one more turn of the loop finds nothing to do"),
    (r"vec_add_kernel[23], y for x: size_t stride", "a shorter stride: some elements are added twice, with the same result"),
    (r"vec_add_kernel[23], plus for times: size_t stride = .*blockDim\.x(\[ \* -> \+ \]Packed128<T>::size)?;$",
     "a shorter stride: some elements are added twice, with the same result"),
    (r"vec_add (resident_grid|vec_add[23]), (plus for times|times for divided|last block|half of|grid rounded|grid too small)",
     "the loop works with any grid"),
    (r"vec_add0, number: constexpr size_t rows", "it works with any number of rows"),
    (r"square_matrix_kernel1, (y for x: size_t c|x for y: size_t r) = .*\[blockDim", "its blocks are square"),
    (r"square_matrix_kernel1, index of 16 bits", "shows only with more than 65536 rows or columns, and no size that is checked has them"),
    (r"square_matrix0, (bound one further|plus for minus: int n|plus for times: for|number: constexpr size_t most|start of the array)",
     "shows only from 2^30 elements on"),
    (r"square_matrix0, (cols for rows|rows for cols): for", "shows only from 2^30 elements on"),
    (r"fast_sigmoid, sign dropped: .*low = \[- -> \]1.9", "3e-8 |x| off, which is within the bound of 10 ulp that the file asks for"),
    (r"fast_sigmoid, constant off by 1 %: .*\[1.92596299e-8f", "2e-10 |x| off, less than an ulp"),
    (r"fast_sigmoid, constant off by 1 %: .*\[1e-4f", "r is far smaller where it is a number: any limit does"),
    (r"fast_sigmoid, constant off by 1 %: .*\[0.693147181f", "1 % of a correction of a few ulp"),
]  # fmt: skip

# ----------------------------------------------------------------------------
# rules: a pattern that is looked for in the code, and what to put there instead (None: leave this place alone)

# Functions for rules that change a value. A mutant's file begins with them.
PLANTED = """
namespace planted {
template <class X>
__host__ __device__ X scaled(X x) {
    return (X)((compute_t<X>)x * (compute_t<X>)1.01);
}
template <class X>
__host__ __device__ X in_half(X x) {
    return (X)(compute_t<X>)__half2float(__float2half((float)(compute_t<X>)x));
}
template <class X>
__host__ __device__ X negated(X x) {
    return (X)(-(compute_t<X>)x);
}
}  // namespace planted
"""


def text(replacement):
    return lambda match: match.expand(replacement)


def next_number(match):
    return str(int(match[0]) + 1)


def swapped(first, second):
    """Exchanges two groups of the match, unless they are the same."""

    def swap(match):
        if match[first] == match[second]:
            return None
        whole, start = match[0], match.start()
        (a, b), (c, d) = match.span(first), match.span(second)
        a, b, c, d = a - start, b - start, c - start, d - start
        return whole[:a] + match[second] + whole[b:c] + match[first] + whole[d:]

    return swap


OTHER_INPUT = {"a": "b", "b": "a", "dout": "out", "out": "dout"}
VALUE = r"(?<=\] = )(?!load128)([^;=]+)(?=;)"  # what is written into an array
RETURNED = r"(?<=\breturn )([^;]+)(?=;)"
LAUNCH = r"<<<(.+?), (block_size|block)>>>"

RULES = [
    # bounds
    ("bound one further", r"(?<![kvn]) < (?!vectors|size;)", text(" <= ")),
    ("bound one less", r" <= ", text(" < ")),
    ("last one missing", r"(?<=< )(N|rows|cols|size|vectors)\b", text(r"\1 - 1")),
    ("bound one more", r"(?<=<= )N\b", text("N + 1")),
    ("no bounds check", r"(?<=if \()[^{}]*(?=\) (?:\{|return))", lambda m: None if "is_same" in m[0] else "true"),
    ("or for and", r" && ", text(" || ")),
    ("and for or", r" \|\| ", text(" && ")),
    ("no tail", r"\} else \{", text("} else if (false) {")),
    # arithmetic
    ("minus for plus", r"(?<!\w\d) \+ (?!i\b|begin\b|start\b|N / rows)", text(" - ")),
    ("plus for minus", r" - ", text(" + ")),
    ("plus for times", r" \* ", text(" + ")),
    ("times for divided", r" / ", text(" * ")),
    ("divided for remainder", r" % ", text(" / ")),
    ("sign dropped", r"(?<=[(= ])-(?=[\w.])", text("")),
    ("number", r"(?<![\w.<-])\d+(?![\w.]|e-)", next_number),
    ("constant off by 1 %", r"\b\d+\.\d+(?:e-\d+)?f|\b1e-4f", text(r"(1.01f * \g<0>)")),
    ("other end of a clamp", r"\bfm(in|ax)f\(", lambda m: "fmaxf(" if m[1] == "in" else "fminf("),
    # values
    ("scaled by 1.01", VALUE, text(r"planted::scaled(\1)")),
    ("scaled by 1.01", RETURNED, lambda m: None if "min" in m[0] else f"planted::scaled({m[1]})"),
    ("half inside", VALUE, text(r"planted::in_half(\1)")),
    ("half inside", RETURNED, lambda m: None if "min" in m[0] else f"planted::in_half({m[1]})"),
    ("negated", VALUE, text(r"planted::negated(\1)")),
    ("adds to what is there", r"(?<=\[i\]) = ", text(" += ")),
    # which element
    ("first lane", r"\[[kv]\]", text("[0]")),
    ("first element", r"\[i\]", text("[0]")),
    ("element before", r"(?<=\w)\[i\]", text("[i - (i > 0)]")),
    ("start of the array", r"\b(\w+) \+ (?:i|begin)\b(?!\w)", text(r"\1")),
    ("y for x", r"\b(blockIdx|threadIdx|blockDim|gridDim)\.x", text(r"\1.y")),
    ("x for y", r"\b(blockIdx|threadIdx|blockDim|gridDim)\.y", text(r"\1.x")),
    ("other index", r"\b(block|thread)Idx\b", lambda m: "threadIdx" if m[1] == "block" else "blockIdx"),
    ("grid for block", r"\bblockDim\b", text("gridDim")),
    ("cols for rows", r"\brows\b(?!,? size_t|, int)", lambda m: "cols" if re.search(r"\bcols\b", m.string) else None),
    ("rows for cols", r"\bcols\b(?!, int|\) \{)", lambda m: "rows" if re.search(r"\brows\b", m.string) else None),
    ("index of 16 bits", r"(?<!\()\bsize_t(?= (?:i|r|c|begin) = )", text("unsigned short")),
    ("stride", r"(?<=\b(?:step) = )([^;]+)(?=;)", text(r"2 * (\1)")),
    ("stride", r"(?<=\bstride = )([^;]+)(?=;)", text(r"2 * (\1)")),
    ("operands swapped", r"\b(?!ceil_div|store)\w+\((\w+(?:\[\w\])?), (\w+(?:\[\w\])?)\)", swapped(1, 2)),
    ("wrong input", r"(?<=[(= ])(a|b|dout|out)(?=\[i\][,)])", lambda m: OTHER_INPUT[m[1]]),
    ("wrong input", r"(?<=load128\()(a|b|dout|out)\b", lambda m: OTHER_INPUT[m[1]]),
    # launches
    ("last block missing", LAUNCH, lambda m: None if m[1] == "grid" else f"<<<std::max(1, ({m[1]}) - 1), {m[2]}>>>"),
    ("half of the threads", LAUNCH, lambda m: None if m[2] == "block" else f"<<<{m[1]}, {m[2]} / 2>>>"),
    ("grid rounded down", r"ceil_div\((\w+), ([^()]+(?:<T>::size)?)\)", text(r"std::max(1, int(\1 / (\2)))")),
    ("grid too small", r"ceil_div\((\w+), ([^()]+(?:<T>::size)?)\)", text(r"ceil_div(\1, 2 * (\2))")),
    ("arguments swapped", r">>>\((\w+), (\w+), (?!N\b|rows\b)(\w+)", swapped(2, 3)),
    ("launch with one less", r"(>>>\(.*)\bN\)(?=;)", text(r"\1N - 1)")),
    ("statement dropped", r"(?<=\n)( *)(?:\w+<<<.*>>>|store128\w*|__syncthreads|geam)\([^\n]*\);(?=\n)", text(r"\1;")),
    ("statement dropped", r"(?<=\n)( *)(?:r|local\[i\]) = [^\n]*;(?=[^\n]*\n)", text(r"\1;")),
]


# ----------------------------------------------------------------------------
# mutants


@dataclasses.dataclass
class Mutant:
    file: str
    rule: str
    line: int
    title: str  # file, function, rule and the changed line: does not depend on other lines
    versions: list[int]
    dtype: str
    source: str
    name: str = ""
    outcome: str = ""  # caught, survived, or does not compile
    cause: str = ""


def code_only(source: str) -> str:
    """The text with comments blanked out, each character in its place."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m[0]), source, flags=re.S)


def functions(code: str, begin: int, end: int):
    """(name, start, end) of each function between these places: from its name to the brace in column 0."""
    for match in re.finditer(r"^[^\s/#}][^\n]*?(\w+)\((?:[^;]*?)\) \{\n.*?^\}", code[begin:end], re.M | re.S):
        yield match[1], begin + match.start(1), begin + match.end()


def affected(code: str, bodies: dict[str, str], launchers: dict[int, str], name: str) -> list[int]:
    """The versions that run a function."""

    def runs(function: str, seen: frozenset = frozenset()) -> bool:
        if function == name:
            return True
        called = (other for other in bodies if other not in seen and re.search(rf"\b{other}\b", bodies[function].split("{", 1)[1]))
        return any(runs(other, seen | {function}) for other in called)

    return [version for version, launcher in launchers.items() if runs(launcher)]


def without_other_versions(source: str, versions: list[int]) -> str:
    """Leaves out what need not be compiled."""
    keep = lambda match: match[0] if int(match[1]) in versions else ""  # noqa: E731
    return re.sub(r"^ *p\.version\((\d+),[^;]*;\n", keep, source, flags=re.M)


def mutants_of(path: pathlib.Path) -> list[Mutant]:
    source = path.read_text()
    code = code_only(source)
    begin, end = source.index("// GPU kernels"), source.index("// the problem:")
    found = list(functions(code, begin, end))
    bodies = collections.defaultdict(str)
    for name, start, stop in found:
        bodies[name] += code[start:stop]
    launchers = {int(version): launcher for version, launcher in re.findall(r"p\.version\((\d+), \"[^\"]*\",\s*(\w+)<T>", source)}
    mutants, seen = [], set()
    for name, start, stop in found:
        body = code.index("{", start)
        versions = affected(code, bodies, launchers, name)
        for rule, pattern, replace in RULES:
            for match in re.compile(pattern).finditer(code, body, stop):
                new = replace(match)
                changed = source[: match.start()] + (new or "") + source[match.end() :]
                if new is None or changed in seen or not versions:
                    continue
                seen.add(changed)
                line_start, line_end = source.rfind("\n", 0, match.start()) + 1, source.index("\n", match.end())
                before, after = source[line_start : match.start()], code[match.end() : line_end].rstrip()
                old = source[match.start() : match.end()].strip("\n")
                title = f"{path.stem} {name}, {rule}: {before.lstrip()}[{old} -> {new}]{after}"
                changed_line = source[line_start:line_end]
                dtype = "f64" if "double x" in code[start:body] or "cublasD" in changed_line else "f32"
                mutated = re.sub(r"p\.dtypes<[^>]*>", "p.dtypes<double>" if dtype == "f64" else "p.dtypes<float>", changed)
                mutated = mutated.replace('#include "common.h"\n', '#include "common.h"\n' + PLANTED, 1)
                mutants.append(Mutant(path.stem, rule, source.count("\n", 0, match.start()) + 1, " ".join(title.split()), versions[:1],
                                      dtype, without_other_versions(mutated, versions[:1])))  # fmt: skip
    for number, mutant in enumerate(mutants):
        mutant.name = f"{path.stem}_{number:03}"
    return mutants


def short_form(mutants: list[Mutant]) -> list[Mutant]:
    """Of two rules in three, in each file, one mutant, from all over the file: less than a minute."""
    groups = collections.defaultdict(list)
    for mutant in mutants:
        groups[mutant.file, mutant.rule].append(mutant)
    return [group[7 * number % len(group)] for number, group in enumerate(groups.values()) if number % 3 < 2]


# ----------------------------------------------------------------------------
# building and checking


def build(batch: list[Mutant], name: str) -> pathlib.Path | None:
    """One program of many mutants; those that do not compile are taken out."""
    folder = OUT / name
    folder.mkdir(parents=True, exist_ok=True)
    for mutant in batch:
        (folder / f"{mutant.name}.cu").write_text(mutant.source)
    while left := [mutant for mutant in batch if not mutant.outcome]:
        (folder / "all.cu").write_text(combine([folder / f"{mutant.name}.cu" for mutant in left]))
        command = [ROOT / "cpu/nvcc", "-O1", "-w", "-std=c++17", "-I", ROOT, folder / "all.cu", "-o", folder / "all", "-lcublas"]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode == 0:
            return folder / "all"
        refused = set(re.findall(r"/(\w+_\d+)\.cu:\d+[^\n]*(?:error|required from)", result.stderr))
        for mutant in left:
            if mutant.name in refused:
                mutant.outcome = "does not compile"
        if not any(mutant.name in refused for mutant in left):
            sys.exit(f"mutate.py: {folder / 'all.cu'} does not build:\n{result.stderr[-3000:]}")
    return None


def check(program: pathlib.Path, mutant: Mutant) -> None:
    command = [program, mutant.name, *mutant.versions, "--check", "--block-size", "32,64,256", "--dtype", mutant.dtype, "--seed", 1]
    try:
        result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=30)
    except subprocess.TimeoutExpired:
        mutant.outcome, mutant.cause = "caught", "does not end"
        return
    lines = [line.strip() for line in result.stdout.splitlines()]
    wrong = next((number for number, line in enumerate(lines) if line.startswith("WRONG ")), None)
    if result.returncode == 0:
        mutant.outcome = "survived"
    elif result.returncode == 1 and wrong is not None:
        message = itertools.takewhile(lambda line: line and "wrong at block" not in line, lines[wrong + 1 : wrong + 4])
        mutant.outcome, mutant.cause = "caught", "; ".join(message)
    elif result.returncode == 3 or result.returncode < 0:  # a refused launch, a crash
        said = result.stderr.strip().splitlines()
        mutant.outcome, mutant.cause = "caught", said[-1] if said else f"ended by signal {-result.returncode}"
    else:
        sys.exit(f"mutate.py: {mutant.name} ended with {result.returncode}:\n{result.stdout}{result.stderr}")


def run(mutants: list[Mutant], report) -> None:
    size = max(1, min(40, -(-len(mutants) // CORES)))
    batches = [mutants[i : i + size] for i in range(0, len(mutants), size)]

    def work(number: int) -> None:
        batch = batches[number]
        program = build(batch, f"batch{number}")
        for mutant in batch:
            if not mutant.outcome:
                check(program, mutant)
        report(batch)

    with concurrent.futures.ThreadPoolExecutor(CORES) as workers:
        list(workers.map(work, range(len(batches))))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*", help="names of kernel files; all by default")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    names = arguments.files or sorted(path.stem for path in ROOT.glob("*.cu"))
    mutants = [mutant for name in names for mutant in mutants_of(ROOT / f"{name}.cu")]
    if arguments.short:
        mutants = short_form(mutants)
    if arguments.list:
        print(*(f"{mutant.file}.cu:{mutant.line}  version {mutant.versions[0]} {mutant.dtype}  {mutant.title}" for mutant in mutants), sep="\n")
        return 0

    used, errors, unexplained = set(), [], 0

    def report(batch: list[Mutant]) -> None:
        nonlocal unexplained
        for mutant in batch:
            reason = next((reason for pattern, reason in EQUIVALENT if re.search(pattern, mutant.title)), "")
            used.update(pattern for pattern, _ in EQUIVALENT if re.search(pattern, mutant.title))
            error = ""
            if mutant.outcome == "survived" and not reason:
                error = "NOT CAUGHT"
                unexplained += 1
            if mutant.outcome == "caught" and reason:
                error = "CAUGHT, but explained as equivalent: " + reason
            print(f"{error or mutant.outcome:9} {mutant.file}.cu:{mutant.line} {mutant.title}\n{'':10}{mutant.cause or reason}", flush=True)
            if error:
                errors.append(mutant.title)

    run(mutants, report)
    count = collections.Counter(mutant.outcome for mutant in mutants)
    stale = [pattern for pattern, _ in EQUIVALENT if pattern not in used and not arguments.short and not arguments.files]
    for pattern in stale:
        print(f"explains nothing: {pattern}")
    print(f"{len(mutants)} mutants: {count['caught']} caught, {count['survived']} survived, {unexplained} of them unexplained, "
          f"{count['does not compile']} do not compile; {len(errors) + len(stale)} errors")  # fmt: skip
    return bool(errors or stale)


if __name__ == "__main__":
    sys.exit(main())
