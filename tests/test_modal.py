"""benchmark_on_modal.py without an account: its parts, its function on this machine, and the real client as a process
against a stand-in for Modal's servers (tests/modal_server)."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import modal
import pytest
from modal_proto import api_pb2

from conftest import ROOT, run

sys.path += [str(ROOT), str(ROOT / "tests/modal_server")]
import server  # noqa: E402

with warnings.catch_warnings():
    warnings.simplefilter("error", modal.exception.DeprecationError)
    import benchmark_on_modal as bench

pytestmark = [pytest.mark.filterwarnings("error::modal.exception.DeprecationError"),
              pytest.mark.filterwarnings("error::DeprecationWarning:modal")]  # fmt: skip
SCRIPT = ROOT / "benchmark_on_modal.py"
BUILD = "cpu/nvcc -O1 -std=c++17"
here = bench.run_benchmark.local


@pytest.fixture(autouse=True)
def outside(tmp_path, monkeypatch):
    """In an empty folder, without settings of the caller's."""
    monkeypatch.chdir(tmp_path)
    for name in [
        "GPU_NAME",
        "GPU_MEM",
        "N_GPUS",
        "ARCH",
        "NVCC_PREPEND_FLAGS",
        "PYTHONUNBUFFERED",
        *(k for k in os.environ if k.startswith("MODAL_")),
    ]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MODAL_CONFIG_PATH", str(tmp_path / "modal.toml"))


def output(result: dict) -> list[str]:
    """What the commands printed: not the GPU, not the commands themselves."""
    return [line for line in result["output"].splitlines()[1:] if not line.startswith("$ ")]


# ---- the function, on this machine


def test_builds_runs_and_brings_back_the_json(capsys):
    result = here(f"{BUILD} sigmoid_forward.cu -o sigmoid_forward", "./sigmoid_forward 1 N=1000 --json out.json", collect="*.json")
    assert (result["status"], result["reason"], result["arch"], result["given"]) == (0, "", "", [])
    assert [check["status"] for check in json.loads(result["files"]["out.json"])["checks"]] == ["ok"]
    assert any(line.startswith("sigmoid_forward: ok: 1") for line in output(result))
    printed = capsys.readouterr().out.splitlines()
    assert printed == [f"here | {line}" for line in result["output"].splitlines()]
    assert result["seconds"] > 0
    assert not Path("out.json").exists() and not (ROOT / "out.json").exists()


def test_a_failing_check_gives_1():
    result = here(f"{BUILD} -I. tests/broken/skips_tail.cu -o skips_tail", "./skips_tail --check")
    assert result["status"] == 1 and result["reason"] == "the run command ended with status 1"
    assert "WRONG" in result["output"]


def test_a_failed_compile_ends_it():
    result = here(f"echo '__global__ void k( {{' > bad.cu; {BUILD} bad.cu -o bad", "echo ran")
    assert result["status"] == 1 and result["reason"] == "the compile command ended with status 1"
    assert "bad.cu:1" in result["output"] and "ran" not in output(result)


@pytest.mark.parametrize("command, status", [("exit 7", 7), ("kill -SEGV $$", 139), ("no_such_program", 127)])
def test_the_status_is_the_commands(command, status):
    assert here("true", command)["status"] == here(command, "true")["status"] == status


def test_commands_are_bash():
    command = (
        """name='two words'; for i in {1..2}; do printf '%s|' "$name" 'a;b' "it's" $((i + 1)); echo; done; [[ a == a ]] && cat"""
    )
    assert output(here("true", command)) == ["two words|a;b|it's|2|", "two words|a;b|it's|3|"]


def test_every_run_has_a_fresh_folder():
    names = [output(here("ls; touch left_over", "pwd")) for _ in range(2)]
    assert names[0][:-1] == names[1][:-1] and "left_over" not in names[0] and "common.h" in names[0]
    assert names[0][-1] != names[1][-1] and not Path(names[0][-1]).exists()


def test_time_out_keeps_the_output_and_the_files():
    begin = time.monotonic()
    result = here("echo built", "echo '{}' > a.json; echo before; (sleep 60; echo late) & sleep 60", collect="*.json", timeout=1.5)
    assert time.monotonic() - begin < 20
    assert result["status"] == 124 and "run command was ended after 1.5 s" in result["reason"]
    assert output(result) == ["built", "before"] and list(result["files"]) == ["a.json"]


def test_the_compile_command_counts_towards_the_time_out():
    result = here("sleep 60", "echo ran", timeout=0.5)
    assert result["status"] == 124 and "compile command was ended" in result["reason"] and output(result) == []
    assert here("sleep 1.5", "sleep 2", timeout=2.5)["status"] == 124


def test_what_a_command_leaves_running_does_not_hold_it():
    begin = time.monotonic()
    result = here("true", "sleep 60 & echo done")
    assert (result["status"], output(result)) == (0, ["done"]) and time.monotonic() - begin < 20


@pytest.mark.parametrize(
    "command", ["(echo first; sleep 2) | sed s/f/F/", "python3 -c 'import time; print(\"First\"); time.sleep(2)'"]
)
def test_lines_come_when_they_are_printed(monkeypatch, command):
    """Programs buffer what they write into a pipe; a time-out would lose it."""
    times = {}
    monkeypatch.setattr(bench, "print", lambda line, **_: times.setdefault(line, time.monotonic()), raising=False)
    here("true", command)
    assert time.monotonic() - times["here | First"] > 1


def test_preemption_ends_with_a_status_of_its_own(tmp_path):
    code = "import benchmark_on_modal as b; r = b.run_benchmark.local('true', 'echo started; sleep 60'); print(r['status'], r['reason'])"
    process = subprocess.Popen([sys.executable, "-u", "-c", code], env={**os.environ, "PYTHONPATH": str(ROOT)},
                               stdout=subprocess.PIPE, text=True)  # fmt: skip
    lines = iter(process.stdout.readline, "")
    assert any(line == "here | started\n" for line in lines)
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=30)
    assert "75 Modal took the machine away" in rest and process.returncode == 0


def test_plain_arguments_are_enough():
    """A stand-in for Modal's servers calls the function under the decorator."""
    function = bench.run_benchmark.get_raw_f()
    assert function("true", "exit 5")["status"] == 5
    assert function("true", "echo {} > a.json", "", "*.json", 30)["files"] == {"a.json": b"{}\n"}


# ---- the GPU that is there


@pytest.fixture
def gpu(tmp_path, monkeypatch):
    """Puts an nvidia-smi on the PATH that shows GPUs of this name."""

    def show(name: str, capability: str = "9.0", count: int = 1) -> None:
        monkeypatch.setenv("PATH", f"{server.nvidia_smi(tmp_path / 'bin', name, capability, count)}:{os.environ['PATH']}")

    return show


def test_what_was_given_is_recorded(gpu):
    gpu("NVIDIA H100 80GB HBM3")
    result = here("true", "echo arch $ARCH, nvcc takes $NVCC_PREPEND_FLAGS", "H100")
    assert (
        result["status"] == 0
        and result["arch"] == "90a"
        and output(result) == ["arch 90a, nvcc takes -gencode=arch=compute_90a,code=sm_90a"]
    )
    assert result["given"] == [{"name": "NVIDIA H100 80GB HBM3", "driver_version": "580.95.05", "clocks.sm": "345 MHz",
                                "clocks.max.sm": "1980 MHz", "memory.total": "81559 MiB", "compute_cap": "9.0"}]  # fmt: skip
    assert result["output"].startswith("NVIDIA H100 80GB HBM3, driver 580.95.05, 345 MHz of 1980 MHz, ARCH=90a\n")


@pytest.mark.parametrize("asked, name, count, good", [
    ("H100", "NVIDIA H200", 1, False), ("H100", "NVIDIA H100 PCIe", 1, True), ("H200", "NVIDIA H200", 1, True),
    ("H200", "NVIDIA GH200 480GB", 1, False),
    ("A100-40GB", "NVIDIA A100-SXM4-80GB", 1, False), ("A100-40GB", "NVIDIA A100-SXM4-40GB", 1, True),
    ("A100-80GB", "NVIDIA A100 80GB PCIe", 1, True), ("A100-80GB", "NVIDIA A100-PCIE-40GB", 1, False),
    ("L4", "NVIDIA L40S", 1, False), ("L4", "NVIDIA L4", 1, True), ("L40S", "NVIDIA L4", 1, False), ("T4", "Tesla T4", 1, True),
    ("A10", "NVIDIA A10G", 1, True), ("A10", "NVIDIA A100-SXM4-40GB", 1, False), ("B200", "NVIDIA B200", 1, True),
    ("B200+", "NVIDIA B300 SXM6 AC", 1, True),
    ("RTX-PRO-6000", "NVIDIA RTX PRO 6000 Blackwell Server Edition", 1, True), ("H100:2", "NVIDIA H100 80GB HBM3", 2, True),
    ("H100:2", "NVIDIA H100 80GB HBM3", 1, False), ("H100", "NVIDIA H100 80GB HBM3", 2, False),
    ("H100", "", 0, False)])  # fmt: skip
def test_another_gpu_is_an_error_and_nothing_runs(gpu, asked, name, count, good):
    gpu(name, count=count)
    result = here("true", "echo ran", asked)
    assert (result["status"], output(result)) == ((0, ["ran"]) if good else (76, []))
    assert good or (f"asked for {asked}, was given {name or 'no GPU'}" in result["reason"] and "run it again" in result["reason"])


@pytest.mark.parametrize("commands, capability, arch, flags", [
    ("make sigmoid_forward", "9.0", "90a", None), ("make sigmoid_forward", "10.0", "100", None), ("make", "8.9", "89", None),
    ("nvcc -O3 a.cu -o a", "10.0", "100", "-gencode=arch=compute_100,code=sm_100"),
    ("/usr/local/cuda/bin/nvcc a.cu", "9.0", "90a", "-gencode=arch=compute_90a,code=sm_90a"),
    ("nvcc -arch=sm_80 a.cu", "9.0", None, None), ("nvcc -arch sm_80 a.cu", "9.0", None, None),
    ("nvcc --gpu-architecture=sm_80 a.cu", "9.0", None, None),
    ("nvcc -gencode arch=compute_80,code=sm_80 a.cu", "9.0", None, None),
    ("nvcc a.cu --generate-code=arch=compute_80,code=sm_80", "9.0", None, None),
    ("make ARCH=80 sigmoid_forward", "9.0", None, None), ("make sigmoid_forward", "", None, None),
    ("g++ -march=native a.cpp", "7.5", "75", None)])  # fmt: skip
def test_compiles_for_the_gpu_that_is_there(commands, capability, arch, flags):
    expected = {key: value for key, value in [("ARCH", arch), ("NVCC_PREPEND_FLAGS", flags)] if value}
    assert bench.arch_environment(commands, capability) == expected


# ---- files: up, back, and nowhere else


@pytest.mark.parametrize("path, uploaded", [
    ("sigmoid_forward.cu", 1), ("common.h", 1), ("Makefile", 1), ("cpu/nvcc", 1), ("harness/run_all.py", 1),
    ("mine/deep/x.cuh", 1), ("a.hpp", 1), ("cpu/runtime/run.cpp", 1),
    ("sigmoid_forward", 0), ("nvcc", 0), ("out.json", 0), (".env", 0), (".git/config", 0), (".git/hooks/a.py", 0),
    (".venv/lib/x.py", 0), ("venv/x.py", 0),
    ("build/x.h", 0), ("modal_results/H100/a.cu", 0), ("__pycache__/a.py", 0), ("a.o", 0), ("a.cu.o", 0), ("key.pem", 0),
    ("results/h200/a.csv", 0)])  # fmt: skip
def test_only_sources_are_uploaded(path, uploaded):
    assert bench.is_source(Path(path)) == bool(uploaded)


def test_sources_of_a_tree(tmp_path):
    for name in ["a.cu", "a", ".git/a.py", "sub/b.h", "sub/.cache/c.h", "build/d.cu", "sub/Makefile"]:
        (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / name).touch()
    assert [str(path) for path in bench.sources(tmp_path / "tree")] == ["a.cu", "sub/Makefile", "sub/b.h"]


def test_collect_stays_in_the_folder(tmp_path):
    (tmp_path / "secret.json").write_text("secret")
    make = "mkdir -p sub; echo 1 > a.json; echo 2 > sub/b.json; ln -s a.json same.json; mkfifo pipe.json; "
    make += f"ln -s {tmp_path} out; ln -s {tmp_path}/secret.json link.json"
    result = here("true", make, collect=f"*.json,**/*.json,out/*.json,../*,{tmp_path}/*,*.cu")
    assert result["files"] == {"a.json": b"1\n", "same.json": b"1\n", "sub/b.json": b"2\n"}
    assert (
        "not collected: link.json leads out" in result["output"] and "not collected: out/secret.json leads out" in result["output"]
    )


def test_collect_has_a_limit_and_says_so(monkeypatch):
    monkeypatch.setattr(bench, "COLLECT_BYTES", 2 << 20)
    result = here("true", "head -c 1500000 /dev/zero > a.bin; head -c 1500000 /dev/zero > b.bin; echo > c.bin", collect="*.bin")
    assert list(result["files"]) == ["a.bin", "c.bin"] and "not collected: b.bin would make it more than 2 MiB" in result["output"]
    assert "made no file that matches *.json" in here("true", "true", collect="*.json")["output"]
    monkeypatch.setattr(bench, "OUTPUT_CHARS", 1000)
    assert 1000 < len(here("true", "yes | head -n 5000")["output"]) < 1010


def test_nothing_is_written_outside_of_the_results(tmp_path, capsys):
    result = {"status": 0, "reason": "", "given": [], "arch": "", "run": "fc-1", "seconds": 1.0, "output": "hello\n"}
    (tmp_path / "modal_results/H100x2").mkdir(parents=True)
    (tmp_path / "modal_results/H100x2/link").symlink_to(tmp_path)
    names = ["ok/a.json", "../L4.json", "../../b.json", "/" + str(tmp_path / "c.json"), "link/d.json"]
    bench.save("H100:2", {**result, "files": {name: b"{}" for name in names}})
    written = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file())
    assert written == ["modal_results/H100x2.json", "modal_results/H100x2.txt", "modal_results/H100x2/ok/a.json"]
    assert capsys.readouterr().err.count("leads out of modal_results/H100x2") == 4
    record = json.loads(Path("modal_results/H100x2.json").read_text())
    assert record["asked"] == "H100!:2" and record["run"] == "fc-1" and record["image"] == bench.IMAGE


# ---- before anything is spent


@pytest.mark.parametrize("environment, gpus, names", [
    ({}, "", ["A100-40GB"]), ({"GPU_MEM": "80"}, "", ["A100-80GB"]), ({"GPU_NAME": "H100", "N_GPUS": "2"}, "", ["H100:2"]),
    ({"GPU_NAME": "H100", "GPU_MEM": "80"}, "", ["H100"]), ({"GPU_NAME": "A10G"}, "", ["A10"]),
    ({"GPU_NAME": "H200"}, "l4, h100!", ["L4", "H100"]),
    ({}, "L4,A100-80GB,H100,B200", ["L4", "A100-80GB", "H100", "B200"]), ({"N_GPUS": "2"}, "T4:4,L4", ["T4:4", "L4:2"]),
    ({}, "L4,L4,A100,A100-40GB:1", ["L4", "A100-40GB"]),
])  # fmt: skip
def test_which_gpus(monkeypatch, environment, gpus, names):
    for key, value in environment.items():
        monkeypatch.setenv(key, value)
    assert bench.requested(gpus) == names


def test_an_h100_is_not_to_be_replaced():
    assert [bench.modal_name(gpu) for gpu in ["H100", "H100:8", "H200", "A100-80GB"]] == ["H100!", "H100!:8", "H200", "A100-80GB"]


GOOD = {"compile_command": "make", "run_command": "./a", "gpus": "", "collect": "", "timeout": 600, "dry_run": False}


@pytest.mark.parametrize("change, environment, message", [
    ({"compile_command": " "}, {}, "--compile-command is empty"), ({"run_command": ""}, {}, "--run-command is empty"),
    ({"gpus": "H10"}, {}, "no GPU is called 'H10'. Did you mean H100?"), ({"gpus": "A100-80"}, {}, "Did you mean A100-80GB?"),
    ({"gpus": "L4,"}, {}, "no GPU is called ''"),
    ({"gpus": "quantum"}, {}, "no GPU is called 'quantum'. Modal has T4, L4"),
    ({}, {"GPU_NAME": "V100"}, "no GPU is called 'V100'"),
    ({}, {"GPU_MEM": "64"}, "GPU_MEM=64: the A100 has 40 or 80"), ({}, {"N_GPUS": "0"}, "N_GPUS=0: Modal has 1 to 8"),
    ({}, {"N_GPUS": "two"}, "N_GPUS=two"),
    ({"gpus": "A10:8"}, {}, "'A10:8': Modal has 1 to 4 of A10"), ({"gpus": "H100:x"}, {}, "'H100:x': Modal has 1 to 8"),
    ({"collect": "../*"}, {}, "--collect '../*'"), ({"collect": "/etc/*"}, {}, "--collect '/etc/*'"),
    ({"collect": "*.json,"}, {}, "--collect ''"),
    ({"timeout": 10}, {}, "--timeout 10: give 60 to 86400"), ({"timeout": 90000}, {}, "--timeout 90000"),
    ({"run_command": "ncu --set full ./a"}, {}, "ncu does not work on Modal"),
    ({"run_command": "make && /usr/local/cuda/bin/ncu ./a"}, {}, "ncu does not work")])  # fmt: skip
def test_bad_input_is_refused_with_what_to_do(monkeypatch, capsys, change, environment, message):
    for key, value in environment.items():
        monkeypatch.setenv(key, value)
    with pytest.raises(SystemExit) as end:
        bench.prepare(**{**GOOD, **change})
    assert end.value.code == 2 and message in capsys.readouterr().err


@pytest.mark.parametrize("command", ["nsys profile ./a", "./ncu_like", "./a --json ncu.json"])
def test_only_ncu_is_refused(command):
    assert bench.prepare(**{**GOOD, "run_command": command}) == ["A100-40GB"]


# ---- afterwards


def test_every_end_without_a_result_has_its_status():
    status = {type(error): bench.failure(error)["status"] for error in [
        modal.exception.FunctionTimeoutError("x"), modal.exception.InternalFailure("container died"), modal.exception.AuthError("x"),
        modal.exception.RemoteError("The task was preempted"), modal.exception.ConnectionError("x")]}  # fmt: skip
    assert list(status.values()) == [124, 69, 77, 75, 69]
    assert "dashboard" in bench.failure(modal.exception.InternalFailure("container died"))["reason"]


def benchmark(name: str, block: int, time_us: float, **more) -> dict:
    return {
        "name": f"{name}/block:{block}",
        "real_time": time_us,
        "time_unit": "us",
        "block_size": block,
        "bytes_per_second": 1e9 * time_us,
        "of_copy": 0.5,
        **more,
    }


def result_with(**files) -> dict:
    return {"files": {f"{name}.json": json.dumps(content).encode() for name, content in files.items()}}


def test_comparison_has_the_fastest_block_size_of_each_gpu():
    rows = {
        "H100": [benchmark("k/1", 32, 3.0), benchmark("k/1", 64, 2.0)],
        "L4": [benchmark("k/1", 32, 9.0), benchmark("k/1", 64, 10.0), benchmark("k/2", 0, 8.0)],
    }
    results = {gpu: result_with(out={"context": {"backend": "gpu"}, "benchmarks": found}, other=[1]) for gpu, found in rows.items()}
    lines = bench.comparison({**results, "T4": {"files": {"out.json": b"not json", "b.bin": b"\xff"}}}).splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert cells[0] == ["benchmark", "GPU", "block", "time", "GB/s", "of copy"]
    assert cells[2:] == [
        ["k/1", "H100", "64", "2.00 us", "2", "50.0%"],
        ["k/1", "L4", "32", "9.00 us", "9", "50.0%"],
        ["k/2", "L4", "-", "8.00 us", "8", "50.0%"],
    ]
    assert len({len(line) for line in lines}) == 1
    assert bench.comparison({"L4": results["L4"]}) == ""


# ---- the real client, as a process


def modal_run(*arguments, **environment) -> subprocess.CompletedProcess:
    """`modal run benchmark_on_modal.py`, where a deprecation is an error."""
    warnings_are_errors = {"PYTHONWARNINGS": "error::UserWarning,error::DeprecationWarning:modal"}
    return run([Path(sys.executable).parent / "modal", "run", SCRIPT, *arguments], timeout=100,
               env={**os.environ, **warnings_are_errors, "COLUMNS": "200", "NO_COLOR": "1", **environment})  # fmt: skip


COMMANDS = ["--compile-command", "true", "--run-command", "true"]


def test_help():
    result = modal_run("--help")
    assert result.returncode == 0, result.stderr
    shown = {option for option in re.findall(r"--[a-z-]+", result.stdout.partition("Usage:")[2])}
    explained = set(re.findall(r"^    (--[a-z-]+)(?:, (--[a-z-]+))?", bench.__doc__, re.M))
    assert {option for pair in explained for option in pair if option} == shown - {"--help", "--no-dry-run", "--profile"}


def test_dry_run_needs_no_account():
    result = modal_run("--dry-run", "--compile-command", "make 'a b'", "--run-command=./a 1", "--gpus", "H100:2,L4", GPU_MEM="80")
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert (
        lines[0].startswith(f"uploads {len(bench.sources(ROOT))} files, ")
        and "  sigmoid_forward.cu" in lines
        and "  cpu/nvcc" in lines
    )
    assert f"image   {bench.IMAGE}, with g++, make, python" in lines and "compile make 'a b'" in lines and "run     ./a 1" in lines
    assert any(line.startswith("GPUs    H100!:2, L4;") for line in lines) and not Path("modal_results").exists()


def test_missing_credentials_say_what_to_do():
    result = modal_run(*COMMANDS)
    assert result.returncode == 77 and "run `modal token new`" in result.stderr and "Traceback" not in result.stderr


def test_bad_input_ends_before_the_client_connects():
    result = modal_run(
        *COMMANDS, "--gpus", "H10", MODAL_TOKEN_ID="ak-1", MODAL_TOKEN_SECRET="as-1", MODAL_SERVER_URL="http://127.0.0.1:1"
    )
    assert result.returncode == 2 and "Did you mean H100?" in result.stderr and "Initialized" not in result.stdout
    assert modal_run(*COMMANDS, "--no-such-option").returncode == 2


@pytest.fixture
def servers(tmp_path, monkeypatch):
    """The stand-in for Modal's servers."""
    found = server.Servers(SCRIPT, tmp_path / "servers")
    monkeypatch.setenv("MODAL_SERVER_URL", server.start(found))
    monkeypatch.setenv("MODAL_TOKEN_ID", "ak-1")
    monkeypatch.setenv("MODAL_TOKEN_SECRET", "as-1")
    return found


def test_refused_credentials_say_what_to_do(servers):
    result = modal_run(*COMMANDS, MODAL_TOKEN_ID="refused")
    assert result.returncode == 77 and "run `modal token new`" in result.stderr and "malformed" in result.stderr


def test_a_run_on_one_gpu(servers):
    result = modal_run("--compile-command", "echo build", "--run-command", "echo 'a  b'; exit 3", GPU_MEM="80")
    assert result.returncode == 3, result.stdout + result.stderr
    lines = result.stdout.splitlines()
    assert "A100-80GB | a  b" in lines and any(
        line.startswith("A100-80GB | NVIDIA A100-SXM4-80GB, driver 580.95.05") for line in lines
    )
    assert "A100-80GB: the run command ended with status 3" in result.stderr
    assert re.search(r"^A100-80GB: status 3 after \d+\.\d s on NVIDIA A100-SXM4-80GB, 0 files$", result.stdout, re.M)

    # what Modal was asked for
    (function,), (options,) = servers.functions, servers.options.values()
    assert function.function_name == "run_benchmark" and function.resources.gpu_config.count == 0
    assert function.retry_policy.retries == 0 and function.timeout_secs == 600
    assert (function.autoscaler_settings.max_containers, function.autoscaler_settings.scaledown_window) == (1, 2)
    assert (options.resources.gpu_config.gpu_type, options.resources.gpu_config.count, options.timeout_secs) == (
        "A100-80GB",
        1,
        600,
    )
    assert f"FROM {bench.IMAGE}" in servers.dockerfile and re.fullmatch(r"nvidia/cuda:13\.0\.\d-devel-ubuntu24\.04", bench.IMAGE)
    assert any("g++ make" in line for line in servers.dockerfile)
    uploaded = sorted(path.removeprefix("/sources/") for path in servers.uploaded if path.startswith("/sources/"))
    assert uploaded == [str(path) for path in bench.sources(ROOT)]
    assert set(servers.uploaded) - {f"/sources/{path}" for path in uploaded} == {"/root/benchmark_on_modal.py"}


def test_several_gpus_at_the_same_time(servers):
    row = json.dumps({"context": {"backend": "gpu"}, "benchmarks": [benchmark("k/1", 32, 2.0)]})
    command = f"""echo '{row}' > out.json; sleep 2; case $ARCH in 89) exit 4;; 90a) exit 5;; esac"""
    result = modal_run(
        "--compile-command", "true", "--run-command", command, "--gpus", "B200,L4,H100", "--collect", "*.json", "--timeout", "100"
    )
    assert result.returncode == 4, result.stdout + result.stderr  # of the first that is not 0, in the order of --gpus
    order = [option.resources.gpu_config.gpu_type for option in servers.options.values()]
    assert order == ["B200", "L4", "H100!"] and {option.timeout_secs for option in servers.options.values()} == {100}
    records = [json.loads(Path(f"modal_results/{gpu}.json").read_text()) for gpu in ["B200", "L4", "H100"]]
    assert [record["status"] for record in records] == [0, 4, 5] and [record["arch"] for record in records] == ["100", "89", "90a"]
    assert sum(record["seconds"] for record in records) >= 6
    assert Path("modal_results/H100/out.json").read_text() == row + "\n"
    table = Path("modal_results/comparison.md").read_text()
    assert table in result.stdout and [line.split()[3] for line in table.splitlines()[2:]] == ["B200", "L4", "H100"]


@pytest.mark.parametrize("end, status, message", [
    ("TIMEOUT", 124, "raise --timeout"), ("INTERNAL_FAILURE", 69, "no result came from Modal"),
    ("TERMINATED", 69, "run it again"), ("preempted", 75, "took the machine away")])  # fmt: skip
def test_one_lost_run_does_not_lose_the_others(servers, end, status, message):
    code = "TERMINATED" if end == "preempted" else end
    servers.ends["L4"] = api_pb2.GenericResult(
        status=getattr(api_pb2.GenericResult, f"GENERIC_STATUS_{code}"), exception=f"the container: {end}"
    )
    result = modal_run("--compile-command", "true", "--run-command", "echo {} > a.json", "--gpus", "L4,B200", "--collect", "*.json")
    assert result.returncode == status, result.stdout + result.stderr
    assert re.search(f"^L4: .*{message}", result.stderr, re.M)
    assert end == "TIMEOUT" or f"the container: {end}" in result.stderr
    assert Path("modal_results/B200/a.json").exists() and json.loads(Path("modal_results/L4.json").read_text())["status"] == status


def test_another_gpu_than_asked_for(servers):
    servers.given["H100!"] = ("NVIDIA H200", "9.0")
    result = modal_run("--compile-command", "echo built", "--run-command", "true", GPU_NAME="H100")
    assert (
        result.returncode == 76 and "H100: asked for H100, was given NVIDIA H200" in result.stderr and "built" not in result.stdout
    )
    assert json.loads(Path("modal_results/H100.json").read_text())["given"][0]["name"] == "NVIDIA H200"


def test_the_line_of_the_documentation(servers, tmp_path, monkeypatch):
    """Letter by letter, with cpu/nvcc as the container's nvcc."""
    line = next(line for line in bench.__doc__.splitlines() if line.startswith("GPU_MEM=80 modal run"))
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "nvcc").write_text(f'#!/bin/sh\nexec {ROOT}/cpu/nvcc "$@"\n')
    (programs / "nvcc").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{Path(sys.executable).parent}:{os.environ['PATH']}")
    result = run(["bash", "-c", line.replace("benchmark_on_modal.py", str(SCRIPT))], timeout=200)
    assert result.returncode == 0, result.stdout + result.stderr
    assert re.search(r"^A100-80GB \| sigmoid_forward: ok: 1; fastest: 1 at", result.stdout, re.M)
