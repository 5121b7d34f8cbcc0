"""CUDA on the CPU: cpu/nvcc, its headers and its runtime. The programs in tests/cpu say "ok" or what is wrong."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
NVCC = ROOT / "cpu" / "nvcc"
PROGRAMS = ROOT / "tests" / "cpu"
COMPILERS = ["g++", "clang++"]

VEC_ADD = """\
__global__ void vec_add(float* out, const float* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { out[i] += a[i]; }
}
"""


def run(*command, status=0, cwd=None, timeout=60, **environment):
    """Runs the command, checks its exit status, and returns what it printed, errors included."""
    result = subprocess.run(
        [str(word) for word in command], cwd=cwd, env={**os.environ, **environment}, timeout=timeout, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert result.returncode == status, f"{command}: status {result.returncode}\n{result.stdout}"
    return result.stdout


def nvcc(*arguments, **options):
    return run(NVCC, *arguments, **options)


def source(folder, text, name="test.cu"):
    file = folder / name
    file.write_text(text)
    return file


@pytest.fixture(params=COMPILERS)
def compiler(request):
    if not shutil.which(request.param):
        pytest.skip(f"{request.param} is not installed")
    return request.param


# ----------------------------------------------------------------------------
# programs


@pytest.mark.parametrize("program", sorted(file.stem for file in PROGRAMS.glob("*.cu")))
def test_program(program, compiler, tmp_path):
    warnings = nvcc("-O2", "-ccbin", compiler, "-Xcompiler", "-Wall,-Wextra", "-lcublas", PROGRAMS / f"{program}.cu",
                    "-o", tmp_path / program)  # fmt: skip
    assert warnings == ""
    assert run(tmp_path / program) == "ok\n"


@pytest.mark.parametrize("program", ["threads", "small_floats", "launch_syntax"])
def test_program_without_optimisation(program, tmp_path):
    """-G also leaves out -march=native: the portable conversions of __half, and code that nothing is inlined into."""
    nvcc("-G", PROGRAMS / f"{program}.cu", "-o", tmp_path / program)
    assert run(tmp_path / program) == "ok\n"


@pytest.mark.parametrize("threads", ["1", "2", "7"])
def test_number_of_threads(threads, tmp_path):
    nvcc("-O2", PROGRAMS / "atomics.cu", "-o", tmp_path / "atomics")
    assert run(tmp_path / "atomics", CUDA_CPU_THREADS=threads) == "ok\n"


@pytest.mark.parametrize("program", ["threads", "shared_memory"])
def test_program_is_clean_under_sanitizers(program, compiler, tmp_path):
    nvcc("-O1", "-g", "-ccbin", compiler, "-Xcompiler", "-fsanitize=address,undefined", "-Xcompiler",
         "-fno-sanitize-recover=all", PROGRAMS / f"{program}.cu", "-o", tmp_path / program)  # fmt: skip
    assert run(tmp_path / program, ASAN_OPTIONS="detect_leaks=0") == "ok\n"


# ----------------------------------------------------------------------------
# what a mistake in a kernel leads to


def test_address_sanitizer_names_the_line(compiler, tmp_path):
    file = source(tmp_path, """\
__global__ void kernel(float* out, int n) {
    __shared__ float tile[32];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x + n] =
        tile[31 - threadIdx.x];
}
int main() {
    float* out;
    cudaMalloc(&out, 32 * sizeof(float));
    kernel<<<1, 32>>>(out, 0);
    kernel<<<1, 32>>>(out, 1);
}
""")  # fmt: skip
    nvcc("-g", "-ccbin", compiler, "-Xcompiler", "-fsanitize=address", file, "-o", tmp_path / "test")
    report = run(tmp_path / "test", status=1)
    assert "heap-buffer-overflow" in report
    assert re.search(r"#0 .* in kernel\(float\*, int\) .*test\.cu:5", report), report


def test_address_sanitizer_guards_dynamic_shared_memory(tmp_path):
    file = source(tmp_path, """\
__global__ void kernel(int n) {
    extern __shared__ float tile[];
    tile[threadIdx.x + n] = 1;
}
int main() {
    kernel<<<1, 32, 128>>>(0);
    kernel<<<1, 32, 128>>>(1);
}
""")  # fmt: skip
    nvcc("-g", "-Xcompiler", "-fsanitize=address", file, "-o", tmp_path / "test")
    report = run(tmp_path / "test", status=1)
    assert "use-after-poison" in report and "test.cu:3" in report, report


@pytest.mark.parametrize(
    "body, expected",
    [
        ("if (threadIdx.x != 3) __shfl_sync(0xffffffff, 1, 0); else __syncthreads();",
         [r"deadlock", r"kernel k launched at .*test\.cu:2, block \(0,0,0\)",
          r"__shfl_sync with mask 0xffffffff at .*test\.cu:1 .*\(0,0,0\) \(1,0,0\) \(2,0,0\) \(4,0,0\).*31 in all",
          r"__syncthreads at .*test\.cu:1 .*threads \(3,0,0\)\n"]),
        ("if (threadIdx.x < 8) __syncwarp(); else __nanosleep(1), __syncthreads();",
         [r"deadlock", r"__syncwarp with mask 0xffffffff .*8 in all|__syncwarp with mask 0xffffffff"]),
        ("if (threadIdx.x == 5) __ballot_sync(0x0000000f, 1);",
         [r"lane 5 calls __ballot_sync with mask 0x0000000f", r"thread \(5,0,0\)"]),
    ],
)  # fmt: skip
def test_threads_that_wait_for_ever_are_named(body, expected, tmp_path):
    file = source(tmp_path, f"__global__ void k() {{ {body} }}\nint main() {{ k<<<1, 32>>>(); }}\n")
    nvcc("-O2", file, "-o", tmp_path / "test")
    report = run(tmp_path / "test", status=-6, timeout=20)
    for pattern in expected:
        assert re.search(pattern, report), report


def test_overflow_of_a_threads_stack_stops(tmp_path):
    file = source(tmp_path, """\
__device__ int deep(int n) { volatile char frame[4096]; frame[0] = n; return n ? deep(n - 1) + frame[0] : 0; }
__global__ void k(int* out) { __syncthreads(); out[threadIdx.x] = deep(100); }
int main() { int* out; cudaMalloc(&out, 128); k<<<1, 32>>>(out); }
""")  # fmt: skip
    nvcc("-O1", file, "-o", tmp_path / "test")
    run(tmp_path / "test", status=-11)


# ----------------------------------------------------------------------------
# lines


def test_compile_errors_name_the_line(compiler, tmp_path):
    file = source(tmp_path, VEC_ADD + """\
int main() {
    vec_add<<<1,
              32>>>(
        nullptr, NULL, 3);
    undeclared = 1;
}
""")  # fmt: skip
    report = nvcc("-ccbin", compiler, "-c", file, "-o", tmp_path / "test.o", status=1)
    assert re.search(r"test\.cu:9:5: error: .*undeclared", report), report
    assert "test.cu:9" in report and len(re.findall(r"error:", report)) == 1


def test_launch_without_end_is_an_error_at_its_line(tmp_path):
    file = source(tmp_path, VEC_ADD + "int main() {\n    vec_add<<<1, 32(nullptr, nullptr, 3);\n}\n")
    assert nvcc("-c", file, "-o", tmp_path / "test.o", status=1) == f"{file}:6: error: this <<< has no >>>(...)\n"


def test_users_warnings_come_through(tmp_path):
    file = source(tmp_path, "__global__ void k() {\n    int unused;\n}\nint main() { k<<<1, 1>>>(); }\n")
    report = nvcc("-Xcompiler", "-Wall", "-c", file, "-o", tmp_path / "test.o")
    assert re.search(r"test\.cu:2:9: warning: unused variable", report), report
    report = nvcc("-Werror", "all-warnings", "-Xcompiler", "-Wall", "-c", file, "-o", tmp_path / "test.o", status=1)
    assert "test.cu:2:9: error" in report


def test_debugger(tmp_path):
    if not shutil.which("gdb"):
        pytest.skip("gdb is not installed")
    file = source(tmp_path, """\
__global__ void kernel(int* out) {
    __shared__ int tile[32];
    tile[threadIdx.x] = 100 + threadIdx.x;
    __syncthreads();
    int mine = tile[31 - threadIdx.x];
    out[blockIdx.x * 32 + threadIdx.x] = mine;
}
int main() {
    int* out;
    cudaMalloc(&out, 1024);
    kernel<<<2, 32>>>(out);
}
""")  # fmt: skip
    nvcc("-g", "-G", file, "-o", tmp_path / "test")
    commands = ["set debuginfod enabled off", "set startup-with-shell off",
                f"break {file}:6 if threadIdx.x == 9 && blockIdx.x == 1", "run", "print threadIdx", "print blockIdx",
                "print blockDim.x", "print mine", "print tile[9]", "bt 1"]  # fmt: skip
    words = [word for command in commands for word in ("-ex", command)]
    report = run("gdb", "-q", "-nx", "-batch", *words, tmp_path / "test", CUDA_CPU_THREADS="1")
    if "ptrace: Operation not permitted" in report:
        pytest.skip("gdb may not trace a process here")
    for expected in ("{x = 9, y = 0, z = 0}", "{x = 1, y = 0, z = 0}", "= 32", "= 122", "= 109", "test.cu:6"):
        assert expected in report, report


def test_clang_reads_it_as_cuda_for_editors(tmp_path):
    if not shutil.which("clang++"):
        pytest.skip("clang++ is not installed")
    programs = [PROGRAMS / f"{name}.cu" for name in ("threads", "atomics", "math", "blas")]
    run("clang++", "-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-std=c++17", "-isystem",
        ROOT / "cpu" / "include", "-include", "cuda_runtime.h", "-fsyntax-only", *programs)  # fmt: skip


# ----------------------------------------------------------------------------
# the command line


def test_separate_compilation(compiler, tmp_path):
    kernel = source(tmp_path, "#include <cuda_fp16.h>\n" + VEC_ADD, "kernel.cu")
    main = source(tmp_path, """\
#include <stdio.h>
__global__ void vec_add(float* out, const float* a, int n);
extern "C" int helper(int);
int main() {
    float* out;
    cudaMallocManaged(&out, 8);
    out[1] = 2;
    vec_add<<<1, helper(1)>>>(out, out, 2);
    printf("%g\\n", out[1]);
}
""", "main.cu")  # fmt: skip
    helper = source(tmp_path, 'extern "C" int helper(int x) { return x + 1; }\n', "helper.cpp")
    nvcc("-ccbin", compiler, "-c", kernel, cwd=tmp_path)
    nvcc("-ccbin", compiler, "-dc", "-rdc=true", main, "-o", "main_object.o", cwd=tmp_path)
    nvcc("-ccbin", compiler, "kernel.o", "main_object.o", helper, "-lcudart", "-lcuda", cwd=tmp_path)
    assert run(tmp_path / "a.out") == "4\n"


def test_options(tmp_path):
    (tmp_path / "folder").mkdir()
    source(tmp_path / "folder", "#define FROM_HEADER 3\n", "header.h")
    file = source(tmp_path, """\
#include <header.h>
#include <stdio.h>
#if !defined(__CUDACC__) || !defined(__NVCC__) || defined(__CUDA_ARCH__) || !defined(CUDA_ON_CPU)
#error macros
#endif
int main() { printf("%d %d %d %ld\\n", FROM_HEADER, GIVEN, __CUDACC_VER_MAJOR__, __cplusplus); }
""", "test.any")  # fmt: skip
    nvcc("-O3", "-g", "-G", "-lineinfo", "-std=c++20", "-Ifolder", "-DGIVEN=4", "-DOTHER", "-UOTHER", "-L.",
         "-arch=sm_90", "-arch", "sm_90", "-gencode", "arch=compute_90,code=sm_90",
         "--generate-code=arch=compute_80,code=[sm_80,compute_80]", "--use_fast_math", "-use_fast_math", "-Xptxas",
         "-v", "-Xptxas=-O3", "-Xcudafe", "--diag_suppress=1", "-Xcompiler", "-fPIC,-pipe", "--expt-relaxed-constexpr",
         "--expt-extended-lambda", "-t", "4", "--threads=2", "-w", "-Wno-deprecated-gpu-targets", "--default-stream",
         "per-thread", "-rdc=true", "-maxrregcount=32", "-lcublas", "-lcublasLt", "-lcuda", "-lcudart", "-lnvidia-ml",
         "-x", "cu", file, "-o", "program", cwd=tmp_path)  # fmt: skip
    assert run(tmp_path / "program") == "3 4 13 202002\n"


def test_environment_chooses_the_compiler(compiler, tmp_path):
    file = source(tmp_path, VEC_ADD)
    report = nvcc("--dryrun", "-c", file, "-o", tmp_path / "test.o", CUDA_CPU_CXX=compiler)
    assert report.startswith("#$ ") and f"/{compiler} " in report
    assert not (tmp_path / "test.o").exists()


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([], "no input file"),
        (["missing.cu"], "missing.cu: no such file"),
        (["--no-such-option", "test.cu"], "unknown option --no-such-option"),
        (["-fsomething", "test.cu"], "unknown option -fsomething"),
        (["--ptx", "test.cu"], "--ptx: there is no PTX on the CPU"),
        (["-cubin", "test.cu"], "there is no cubin on the CPU"),
        (["test.cu", "-o"], "-o needs a value"),
        (["test.txt"], "test.txt: don't know what to do"),
        (["-c", "test.cu", "test.cu", "-o", "x.o"], "-c with -o takes one input file"),
        (["-ccbin", "no-such-compiler", "test.cu"], "no compiler: no-such-compiler"),
        (["-Xcompiler", "-fsanitize=thread", "test.cu"], "-fsanitize=thread"),
    ],
)
def test_wrong_command_lines(arguments, message, tmp_path):
    source(tmp_path, VEC_ADD)
    source(tmp_path, VEC_ADD, "test.txt")
    report = nvcc(*arguments, status=1, cwd=tmp_path)
    assert report.startswith("cpu/nvcc: ") and message in report and report.count("\n") == 1, report
    assert sorted(file.name for file in tmp_path.iterdir()) == ["test.cu", "test.txt"]


def test_version_and_help():
    assert re.search(r"release (\d+)\.(\d+), V", nvcc("--version"))
    assert "-Xcompiler" in nvcc("--help")


def test_depfile(tmp_path):
    source(tmp_path, "#pragma once\n", "own.h")
    file = source(tmp_path, '#include "own.h"\n' + VEC_ADD)
    nvcc("-c", "-MMD", "-MP", "-MF", "test.d", "-MT", "target", file, "-o", "test.o", cwd=tmp_path)
    makefile = source(tmp_path, "include test.d\ntarget:\n\t@echo rebuild\n\ttouch target\n", "Makefile")
    text = (tmp_path / "test.d").read_text()
    for name in ("own.h", "cpu/nvcc", "cpu/rewrite.py", "cpu/include/cuda_runtime.h", "cpu/include/cuda_cpu/launch.h"):
        assert name in text
    assert "rebuild" in run("make", "-f", makefile, "target", cwd=tmp_path)
    assert "rebuild" not in run("make", "-f", makefile, "target", cwd=tmp_path)
    os.utime(tmp_path / "own.h", (4e9, 4e9))
    assert "rebuild" in run("make", "-f", makefile, "target", cwd=tmp_path)
    (tmp_path / "own.h").unlink()  # -MP: a header that is gone is no error
    assert "rebuild" in run("make", "-f", makefile, "target", cwd=tmp_path)


def test_dependencies_only(tmp_path):
    source(tmp_path, "#pragma once\n", "own.h")
    file = source(tmp_path, '#include "own.h"\n#include <stdio.h>\n' + VEC_ADD)
    report = nvcc("-MM", file)
    assert report.startswith("test.o:") and "own.h" in report and "stdio.h" not in report
    assert "stdio.h" in nvcc("-M", file)


def test_builds_at_the_same_time_share_one_runtime(tmp_path):
    """The library is built once, whoever comes first; the room's copy has a build folder of its own."""
    shutil.copytree(ROOT / "cpu", tmp_path / "cpu", ignore=shutil.ignore_patterns("__pycache__"))
    file = source(tmp_path, VEC_ADD + "int main() { vec_add<<<1, 1>>>(nullptr, nullptr, 0); }\n")
    jobs = [subprocess.Popen([tmp_path / "cpu" / "nvcc", file, "-o", tmp_path / f"program{i}"]) for i in range(3)]
    assert [job.wait(timeout=60) for job in jobs] == [0, 0, 0]
    for i in range(3):
        run(tmp_path / f"program{i}")
    libraries = list((tmp_path / "build" / "cpu").glob("*/libcuda_cpu.a"))
    assert len(libraries) == 1
    with open(tmp_path / "cpu" / "runtime" / "error.cpp", "a") as runtime:
        runtime.write("// changed\n")
    run(tmp_path / "cpu" / "nvcc", file, "-o", tmp_path / "program")
    assert len(list((tmp_path / "build" / "cpu").glob("*/libcuda_cpu.a"))) == 2


def test_launches_in_system_headers_macros(tmp_path):
    """A macro of a system header in the middle of a launch: the line markers around it are no part of the launch."""
    file = source(tmp_path, """\
#include <assert.h>
#include <limits.h>
#include <stdio.h>
__global__ void k(int* out, const int* null) { out[threadIdx.x] = null == nullptr; assert(threadIdx.x < 64); }
int main() {
    int* out;
    cudaMallocManaged(&out, 128);
    k<<<CHAR_BIT / CHAR_BIT, CHAR_BIT>>>(out, NULL);
    k<<<(CHAR_BIT +
         CHAR_BIT) / 16, CHAR_BIT, 0, NULL>>>(out,
        NULL); printf("%d line %d\\n", out[CHAR_BIT - 1], __LINE__);
}
""")  # fmt: skip
    nvcc(file, "-o", tmp_path / "test")
    assert run(tmp_path / "test") == "1 line 11\n"


@pytest.mark.parametrize("statement, says", [("inp[1ull << 40] = 1;", "no memory at address 0x"), ("inp[0] = 7777 / *zero;", "integer division by zero")])
def test_a_crash_names_kernel_block_and_thread(statement, says, tmp_path):
    program = source(tmp_path, """\
__global__ void crash(float* inp, volatile int* zero) {
    if (blockIdx.x == 3 && threadIdx.x == 7) { %s }
    (void)zero;
}
int main() {
    float* inp; int* zero;
    cudaMalloc(&inp, 64); cudaMalloc(&zero, 4); cudaMemset(zero, 0, 4);
    crash<<<5, 32>>>(inp, zero);
    cudaDeviceSynchronize();
}
""" % statement)
    nvcc("-G", program, "-o", tmp_path / "crash")
    killed = -8 if "zero" in says else -11
    text = run(tmp_path / "crash", status=killed)
    assert says in text and "kernel crash launched at" in text and "block (3,0,0)" in text and "thread (7,0,0)" in text


def test_a_crash_of_the_host_is_not_blamed_on_a_kernel(tmp_path):
    program = source(tmp_path, """\
__global__ void fine() {}
int main() {
    fine<<<5, 32>>>();
    cudaDeviceSynchronize();
    *(volatile int*)8 = 0;
}
""")
    nvcc("-O1", program, "-o", tmp_path / "crash")
    assert run(tmp_path / "crash", status=-11) == ""
