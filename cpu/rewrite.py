"""Turns preprocessed CUDA into C++ that an ordinary compiler takes.

    k<float><<<grid, block>>>(x, n);    ::cuda_cpu::kernel("k<float>", <address>, <call>)(grid, block)(x, n);
    __shared__ float tile[32];          static thread_local float tile[32];
    extern __shared__ float s[];        float (&s)[] = ::cuda_cpu::dynamic_shared<decltype(s)>();

Everything is edited in place and no newline is added or removed, so that the line markers stay true: errors, debuggers
and sanitizers name the lines of the .cu file. Headers that were found as system headers are left alone.
"""

import re

TOKEN = re.compile(
    r"""(?P<directive>^[ \t]*\#[^\n]*)
      | (?P<literal>(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s"]*)\(.*?\)(?P=delimiter)"
                   |(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*"
                   |(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+')
      | (?P<number>\.?[0-9](?:[eEpP][+-]|'?[\w.])*)
      | (?P<name>[^\W\d][\w$]*)
      | (?P<punctuation><<<|::|->|[^\s\w])""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
LINE_MARKER = re.compile(r'^# \d+ "((?:[^"\\]|\\.)*)"([ \d]*)$', re.MULTILINE)
# Pragmas of nvcc's own front end; `unroll` is also clang's.
NVCC_PRAGMA = re.compile(r"\s*#\s*pragma\s+(nv_\w+|diag_\w+|hd_warning_disable)\b")
UNROLL_PRAGMA = re.compile(r"\s*#\s*pragma\s+unroll\b")

OPENING = {")": "(", "]": "[", "}": "{"}
CLOSING = {"(": ")", "[": "]", "{": "}"}
# A name that can stand before a launch without belonging to the kernel's name.
KEYWORDS = {"return", "else", "do", "case", "co_return", "co_yield", "throw"}


class SyntaxProblem(Exception):
    """CUDA syntax that is not closed; the message names the file and the line."""


def rewrite(text, pragma_unroll=False):
    """The C++ for the preprocessed CUDA in `text`; `pragma_unroll`: the compiler knows `#pragma unroll` by itself."""
    return Rewriter(text, pragma_unroll).run()


class Rewriter:
    def __init__(self, text, pragma_unroll):
        self.text = text
        self.pragma_unroll = pragma_unroll
        self.tokens = []  # the words of the user's files
        self.starts = []  # where each begins in the text
        self.edits = []  # (start, end, replacement)

    def run(self):
        self.tokenize()
        braces = []  # of the open braces: is it the brace of a namespace or of extern "C"?
        for i, token in enumerate(self.tokens):
            if token == "{":
                braces.append(self.opens_namespace(i))
            elif token == "}" and braces:
                braces.pop()
            elif token == "<<<":
                self.launch(i)
            elif token == "__shared__":
                self.shared(i, namespace_scope=all(braces))
            elif token == "__noinline__" and self.tokens[i - 1] not in ("(", ","):
                self.replace(i, "__attribute__((noinline))")
        return self.apply_edits()

    # ------------------------------------------------------------------------
    # kernel launches

    def launch(self, i):
        first = self.callee(i)
        close = self.end_of_configuration(i)
        callee = " ".join(self.between(first, i).split())
        quoted = callee.replace("\\", "\\\\").replace('"', '\\"')
        # The address is asked for in a way that may fail: that of a template whose arguments are deduced has no name.
        address = f"::cuda_cpu::address(cuda_cpu_p, {callee})"
        self.insert(
            first,
            f'::cuda_cpu::kernel("{quoted}", [&](auto cuda_cpu_p) -> decltype({address}) {{ return {address}; }}, '
            "[&](const auto&... cuda_cpu_a) { ",
        )
        self.replace(i, "(cuda_cpu_a...); })(")
        start = self.starts[close]
        self.edits.append((start, start + 3, ")"))
        self.null_arguments(close + 3)

    def callee(self, i):
        """The first token of the expression before the `<<<` at i: a kernel's name, or a pointer to a kernel."""
        j = i - 1
        while j >= 0:
            token = self.tokens[j]
            if token == ">":
                j = self.opening_angle(j) - 1
                continue
            if token in ("]", ")"):
                j = self.opening(j)
                before = self.tokens[j - 1]
                if before in ("]", ")", ">") or (self.is_name(before) and before not in KEYWORDS):
                    j -= 1
                    continue
                return j
            if not self.is_name(token):
                break
            if self.tokens[j - 1] == "template":
                j -= 1
            if self.tokens[j - 1] in (".", "->"):
                j -= 2
                continue
            if self.tokens[j - 1] == "::":
                qualifier = self.tokens[j - 2]
                if qualifier == ">" or (self.is_name(qualifier) and qualifier not in KEYWORDS):
                    j -= 2
                    continue
                return j - 1
            return j
        raise SyntaxProblem(f"{self.place(i)}: error: no kernel stands before this <<<")

    def end_of_configuration(self, i):
        """The first of the three tokens `>` that close the `<<<` at i."""
        j = i + 1
        while j < len(self.tokens):
            token = self.tokens[j]
            if token in CLOSING:
                j = self.closing(j)
            elif self.is_triple_angle(j) and self.tokens[j + 3 : j + 4] == ["("]:
                return j
            elif token in (";", "}", ")", "]"):
                break
            j += 1
        raise SyntaxProblem(f"{self.place(i)}: error: this <<< has no >>>(...)")

    def is_triple_angle(self, j):
        at = self.starts[j]
        return self.text.startswith(">>>", at) and self.starts[j + 2 : j + 3] == [at + 2]

    def null_arguments(self, opening):
        """NULL passed on by value would be an integer: in the argument list at `opening` it becomes nullptr."""
        j = opening
        end = self.closing(opening)
        while j < end:
            if self.tokens[j] in CLOSING and j != opening:
                j = self.closing(j)
            elif self.tokens[j] == "__null" and self.tokens[j - 1] in "(," and self.tokens[j + 1] in ",)":
                self.replace(j, "nullptr")
            j += 1

    # ------------------------------------------------------------------------
    # declarations

    def shared(self, i, namespace_scope):
        first = i
        while first > 0 and self.tokens[first - 1] not in (";", "{", "}", ":"):
            first -= 1
        last = i
        while self.tokens[last] != ";":
            last += 1
            if last == len(self.tokens):
                raise SyntaxProblem(f"{self.place(i)}: error: this __shared__ declaration has no end")
        words = self.tokens[first:last]
        if "extern" not in words:
            self.replace(i, "thread_local" if "static" in words else "static thread_local")
            return
        name = first + words.index("[") - 1 if "[" in words else last
        if name == last or words[name - first + 2] != "]":
            raise SyntaxProblem(f"{self.place(i)}: error: extern __shared__ needs an array without a size: T name[];")
        # A thread of the machine runs its blocks in the same memory, so a thread-local reference does for all of them.
        self.insert(first, "[[maybe_unused]] " + ("static thread_local " if namespace_scope else ""))
        j = first
        while j < last:
            if self.tokens[j] in ("extern", "__shared__"):
                self.replace(j, "")
            elif self.tokens[j] in ("__attribute__", "alignas"):  # the memory has the largest alignment already
                end = self.closing(j + 1)
                while j <= end:
                    self.replace(j, "")
                    j += 1
                continue
            elif j == name:
                self.replace(j, f"(&{self.tokens[j]})")
            j += 1
        self.insert(last, f" = ::cuda_cpu::dynamic_shared<decltype({self.tokens[name]})>()")

    def opens_namespace(self, i):
        j = i - 1
        while j >= 0 and self.tokens[j] not in (";", "{", "}", ")"):
            if self.tokens[j] == "namespace" or (self.tokens[j] == '"C"' and self.tokens[j - 1] == "extern"):
                return True
            j -= 1
        return False

    # ------------------------------------------------------------------------
    # tokens

    def tokenize(self):
        system_files = set()
        at = 0
        while match := TOKEN.search(self.text, at):
            at = match.end()
            if match["directive"] is None:
                self.tokens.append(match[0])
                self.starts.append(match.start())
            elif marker := LINE_MARKER.match(match[0]):
                at = self.skip_system_file(marker, at, system_files)
            elif NVCC_PRAGMA.match(match[0]) or (UNROLL_PRAGMA.match(match[0]) and not self.pragma_unroll):
                self.edits.append((match.start(), match.end(), ""))

    def skip_system_file(self, marker, at, system_files):
        """Where to go on after a line marker: behind the system header, if it enters one.

        Flag 3 alone says nothing: it also marks the expansion of a system header's macro in a user's file.
        """
        while marker:
            flags = marker[2].split()
            if "1" in flags and "3" in flags:
                system_files.add(marker[1])
            if marker[1] not in system_files:
                return at
            marker = LINE_MARKER.search(self.text, at)
            at = marker.end() if marker else len(self.text)
        return at

    @staticmethod
    def is_name(token):
        return token[0].isalpha() or token[0] == "_"

    def opening(self, j):
        """The token that the closing bracket at j belongs to."""
        return self.match_bracket(j, -1, OPENING)

    def closing(self, j):
        return self.match_bracket(j, 1, CLOSING)

    def match_bracket(self, j, step, partner_of):
        here, partner, depth, k = self.tokens[j], partner_of[self.tokens[j]], 0, j
        while 0 <= k < len(self.tokens):
            depth += (self.tokens[k] == here) - (self.tokens[k] == partner)
            if depth == 0:
                return k
            k += step
        raise SyntaxProblem(f"{self.place(j)}: error: this {here} has no {partner}")

    def opening_angle(self, j):
        depth, k = 0, j
        while k >= 0:
            token = self.tokens[k]
            if token in OPENING:
                k = self.opening(k)
            elif token == ">":
                depth += 1
            elif token == "<":
                depth -= 1
                if depth == 0:
                    return k
            elif token in (";", "{"):
                break
            k -= 1
        raise SyntaxProblem(f"{self.place(j)}: error: this > has no <")

    def place(self, i):
        """file:line of token i, from the line marker before it."""
        at, marker = self.starts[i], None
        for marker in LINE_MARKER.finditer(self.text, 0, at):
            pass
        if not marker:
            return "<input>"
        line = int(marker[0].split()[1]) + self.text.count("\n", marker.end() + 1, at)
        return f"{marker[1]}:{line}"

    # ------------------------------------------------------------------------
    # edits

    def between(self, first, last):
        """The text from token `first` up to token `last`, without the line markers that may stand in between."""
        return LINE_MARKER.sub("", self.text[self.starts[first] : self.starts[last]])

    def insert(self, i, text):
        self.edits.append((self.starts[i], self.starts[i], text))

    def replace(self, i, text):
        self.edits.append((self.starts[i], self.starts[i] + len(self.tokens[i]), text))

    def apply_edits(self):
        parts, at = [], 0
        for start, end, replacement in sorted(self.edits, key=lambda edit: edit[:2]):
            parts += (self.text[at:start], replacement)
            at = end
        return "".join(parts) + self.text[at:]
