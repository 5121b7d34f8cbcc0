"""
Builds and runs a kernel file on a rented GPU: Modal (modal.com) lends one by the second, so this machine needs none.

    pip install "modal>=1.4.3,<2" && modal token new        once; makes an account

GPU_MEM=80 modal run benchmark_on_modal.py --compile-command "nvcc -O3 --use_fast_math sigmoid_forward.cu -o sigmoid_forward" --run-command "./sigmoid_forward 1"
modal run benchmark_on_modal.py --compile-command "make sigmoid_forward" --run-command "./sigmoid_forward --json out.json" --gpus L4,A100-80GB,H100,B200 --collect "*.json"

    --compile-command, --run-command    run by bash in a fresh copy of the sources; a failed compile ends it there
    --gpus      GPU types to run on at the same time; H100:2 is two in one machine
                otherwise GPU_NAME, GPU_MEM, N_GPUS from the environment: one A100 with 40 GB
    --collect   files that the commands made, "*.json,build/**/*.json"; they come to modal_results/GPU/
    --timeout   seconds until Modal ends a run, 600; the commands are ended a little earlier, to keep their output
    --dry-run   says what would be uploaded and run; needs no account

The exit status is that of the commands, with several GPUs the first that is not 0. Of its own are
    2    the command line is wrong; nothing was spent    76   not the GPU that was asked for; nothing was run
    69   Modal could not be reached or lost the run      77   no credentials, or Modal refused them
    75   the run was preempted                           124  the time was up
docs/modal.md has the rest.
"""

import argparse
import contextlib
import difflib
import inspect
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import modal

IMAGE = "nvidia/cuda:13.0.2-devel-ubuntu24.04"

# What Modal lends, and the pattern of the name that nvidia-smi must then show.
GPUS = {
    "T4": r"\bT4\b",
    "L4": r"\bL4\b",
    "A10": r"\bA10G?\b",
    "L40S": r"\bL40S\b",
    "A100-40GB": r"\bA100\b.*\b40GB\b",
    "A100-80GB": r"\bA100\b.*\b80GB\b",
    "RTX-PRO-6000": r"\bRTX PRO 6000\b",
    "H100": r"\bH100\b",
    "H200": r"\bH200\b",
    "B200": r"\bB200\b",
    "B200+": r"\bB[23]00\b",
}

# Exit statuses of this file's own: the numbers of sysexits.h, and of timeout(1).
BAD_COMMAND_LINE, LOST, PREEMPTED, WRONG_GPU, NO_CREDENTIALS, TIMED_OUT = 2, 69, 75, 76, 77, 124
TAKEN_AWAY = "Modal took the machine away, which says nothing about the kernel: run it again"

MARGIN = 30  # seconds that the commands get less than Modal's time-out: what a container did not return in time is lost
QUEUE_SECONDS = 1800  # how long to wait for a GPU to come free, which costs nothing
LOG_SECONDS = 2  # the last lines of the log come on a stream of their own: let them be printed before the summary
OUTPUT_CHARS = 2 << 20  # of a run's output that are brought back; all of it is streamed
COLLECT_BYTES = 64 << 20  # of collected files, for each GPU

ROOT = Path(__file__).resolve().parent
SOURCES = Path("/sources")  # where they are in the container
RESULTS = Path("modal_results")

# ----------------------------------------------------------------------------
# what is uploaded: an allow-list, because a program has no ending that a list of exceptions could name

SUFFIXES = {".cu", ".cuh", ".h", ".hpp", ".cpp", ".py"}
NO_SOURCES = {"build", "modal_results", "__pycache__", "venv", "env", "node_modules"}


def is_source(path: Path) -> bool:
    """Whether a file is uploaded; its path is relative to this file's folder."""
    if any(part.startswith(".") or part in NO_SOURCES for part in path.parts):
        return False
    return path.suffix in SUFFIXES or path.name == "Makefile" or path == Path("cpu/nvcc")


def sources(root: Path) -> list[Path]:
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in NO_SOURCES]
        found += [path for name in names if is_source(path := (Path(folder) / name).relative_to(root))]
    return sorted(found)


app = modal.App("brrr")
image = (
    modal.Image.from_registry(IMAGE, add_python="3.12")
    .entrypoint([])  # NVIDIA's prints a banner
    .apt_install("g++", "make")
    .add_local_dir(ROOT, SOURCES.as_posix(), ignore=lambda path: not is_source(path))
)

# ----------------------------------------------------------------------------
# in the container


def devices() -> list[dict[str, str]]:
    """The GPUs that are there, as nvidia-smi has them."""
    fields = ["name", "driver_version", "clocks.sm", "clocks.max.sm", "memory.total", "compute_cap"]
    command = ["nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv,noheader"]
    try:
        listing = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return []
    rows = [line.split(", ") for line in listing.stdout.splitlines()]
    return [dict(zip(fields, row)) for row in rows if len(row) == len(fields)]


def is_given(gpu: str, given: list[dict[str, str]]) -> bool:
    """Whether these are the GPUs that were asked for: a plain H100, for example, may be served by an H200."""
    name, _, count = gpu.partition(":")
    return len(given) == int(count or 1) and all(re.search(GPUS[name], device["name"]) for device in given)


def arch_environment(commands: str, compute_capability: str) -> dict[str, str]:
    """Tells make and nvcc to compile for the GPU that is there, unless a command names an architecture.

    ARCH is what the Makefile takes. A bare nvcc line of CUDA 13 makes machine code for compute capability 7.5 only."""
    if not compute_capability or re.search(r"(^|\s)--?(arch|gencode|gpu-architecture|generate-code)\b|\bARCH=", commands):
        return {}
    arch = compute_capability.replace(".", "")
    arch += "a" if arch == "90" else ""  # with Hopper's own instructions
    environment = {"ARCH": arch}
    if re.search(r"\bnvcc\b", commands):
        environment["NVCC_PREPEND_FLAGS"] = f"-gencode=arch=compute_{arch},code=sm_{arch}"
    return environment


def execute(command: str, folder: Path, environment: dict[str, str], seconds: float, say: Callable[[str], None]) -> int | None:
    """Runs a command under bash, passes on each line as it comes, and returns its exit status; None if time was up."""
    line_buffered = ["stdbuf", "-oL"] if shutil.which("stdbuf") else []  # else a pipe gets a program's output at its end
    process = subprocess.Popen([*line_buffered, "bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL,
                               env={**os.environ, "PYTHONUNBUFFERED": "1", **environment}, start_new_session=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")  # fmt: skip

    def pass_on() -> None:
        for line in process.stdout:
            say(line.rstrip("\r\n"))

    reader = threading.Thread(target=pass_on, daemon=True)
    reader.start()
    try:
        status = process.wait(timeout=max(seconds, 0))
        return status if status >= 0 else 128 - status  # as a shell has it for a command that a signal ended
    except subprocess.TimeoutExpired:
        return None
    finally:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)  # also what it left running, which would hold the pipe open
        process.wait()
        reader.join(timeout=5)


def is_pattern(pattern: str) -> bool:
    """Whether it can only match below the folder of the commands."""
    return bool(pattern) and not pattern.startswith(("/", "~")) and ".." not in Path(pattern).parts


def collected(folder: Path, patterns: str, uploaded: list[Path], say: Callable[[str], None]) -> dict[str, bytes]:
    """The files that match and were not uploaded: path in the folder -> content."""
    files: dict[str, bytes] = {}
    paths = [path for pattern in patterns.split(",") if is_pattern(pattern) for path in sorted(folder.glob(pattern))]
    for path in paths:
        name = path.relative_to(folder)
        if name.as_posix() in files or name in uploaded or not path.is_file():
            continue
        if not path.resolve().is_relative_to(folder.resolve()):
            say(f"not collected: {name} leads out of the folder of the commands")
        elif sum(map(len, files.values())) + path.stat().st_size > COLLECT_BYTES:
            say(f"not collected: {name} would make it more than {COLLECT_BYTES >> 20} MiB: narrow --collect")
        else:
            try:
                files[name.as_posix()] = path.read_bytes()
            except OSError as error:
                say(f"not collected: {error}")
    if patterns and not files:
        say(f"not collected: the commands made no file that matches {patterns}")
    return files


# No retries and one container a GPU: nothing is paid for twice. A container that has nothing to do ends at once.
@app.function(image=image, cpu=4.0, memory=8192, timeout=600, startup_timeout=900, retries=0, max_containers=1, scaledown_window=2)
def run_benchmark(compile_command: str, run_command: str, gpu: str = "", collect: str = "", timeout: float = 600 - MARGIN) -> dict:
    """Builds and runs in a fresh copy of the sources; prints each line with the GPU's name in front.

    gpu is what must be there ("H100", "A100-80GB:2"), "" for whatever is; timeout is in seconds, for both commands.
    Returns status, reason (why it is not 0), given (the GPUs), arch, run, seconds, output, files."""
    begin = time.monotonic()
    result = {"status": 0, "reason": "", "given": devices(), "arch": "", "run": modal.current_function_call_id() or "", "files": {}}
    output = io.StringIO()

    def say(line: str) -> None:
        print(f"{gpu or 'here'} | {line}", flush=True)
        if output.tell() < OUTPUT_CHARS:
            output.write(line + "\n")

    def finish(status: int, reason: str) -> dict:
        seconds = round(time.monotonic() - begin, 1)
        return {**result, "status": status, "reason": reason, "seconds": seconds, "output": output.getvalue()}

    names = ", ".join(device["name"] for device in result["given"]) or "no GPU"
    if result["run"]:  # a preempted run starts again in another container, with the same id
        say(f"run {result['run']} in container {os.environ.get('MODAL_TASK_ID', '')}")
    if gpu and not is_given(gpu, result["given"]):
        return finish(WRONG_GPU, f"asked for {gpu}, was given {names}: nothing was run; run it again")
    first = result["given"][0] if result["given"] else {}
    environment = arch_environment(f"{compile_command}\n{run_command}", first.get("compute_cap", ""))
    result["arch"] = environment.get("ARCH", "")
    clocks = f", driver {first['driver_version']}, {first['clocks.sm']} of {first['clocks.max.sm']}" if first else ""
    say(names + clocks + (f", ARCH={result['arch']}" if result["arch"] else ""))

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder, root = Path(name), ROOT if modal.is_local() else SOURCES
        uploaded = sources(root)
        for path in uploaded:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / path, folder / path)
        status, reason = 0, ""
        try:
            for step, command in [("compile", compile_command), ("run", run_command)]:
                say(f"$ {command}")
                status = execute(command, folder, environment, begin + timeout - time.monotonic(), say)
                if status is None:
                    status, reason = TIMED_OUT, f"the {step} command was ended after {timeout:g} s: raise --timeout or run less"
                elif status:
                    reason = f"the {step} command ended with status {status}"
                if status:
                    break
        except KeyboardInterrupt:  # Modal sends SIGINT to a container that it takes away
            status, reason = PREEMPTED, TAKEN_AWAY
        result["files"] = collected(folder, collect, uploaded, say)
    return finish(status, reason)


# ----------------------------------------------------------------------------
# on this machine, before anything is spent


def requested(gpus: str) -> list[str]:
    """The GPUs by the names in GPUS, with :N where it is not one. Raises ValueError."""
    memory, count, found = os.environ.get("GPU_MEM") or "40", os.environ.get("N_GPUS") or "1", []
    for word in (gpus or os.environ.get("GPU_NAME") or "A100").split(","):
        name, _, own_count = word.strip().upper().partition(":")
        if name == "A100" and memory not in ("40", "80"):
            raise ValueError(f"GPU_MEM={memory}: the A100 has 40 or 80 (GB)")
        name = {"A100": f"A100-{memory}GB", "A10G": "A10", "H100!": "H100"}.get(name, name)
        if name not in GPUS:
            near = difflib.get_close_matches(name, GPUS, 1, 0.5)
            meant = f" Did you mean {near[0]}?" if near else ""
            raise ValueError(f"no GPU is called '{word.strip()}'.{meant} Modal has {', '.join(GPUS)}; A100 takes GPU_MEM")
        n, most = own_count or count, 4 if name == "A10" else 8
        if not n.isdecimal() or not 1 <= int(n) <= most:
            where = f"'{word.strip()}'" if own_count else f"N_GPUS={n}"
            raise ValueError(f"{where}: Modal has 1 to {most} of {name} in one machine")
        found.append(name if int(n) == 1 else f"{name}:{int(n)}")
    return list(dict.fromkeys(found))


def prepare(compile_command: str, run_command: str, gpus: str, collect: str, timeout: int, dry_run: bool) -> list[str]:
    """The GPUs to run on. Ends here if something is wrong, saying what and what to do, or if it is a dry run."""
    try:
        if not compile_command.strip():
            raise ValueError('--compile-command is empty: give the line that builds, or "true" if nothing is to be built')
        if not run_command.strip():
            raise ValueError('--run-command is empty: give the line to run, for example "./sigmoid_forward 1"')
        if re.search(r"(^|[\s;&|(/])(ncu|nv-nsight-cu-cli)(\s|$)", f"{compile_command}\n{run_command}"):
            raise ValueError("ncu does not work on Modal, whose containers may not read a GPU's performance counters; nsys may")
        for pattern in collect.split(",") if collect else []:
            if not is_pattern(pattern):
                raise ValueError(f"--collect '{pattern}': patterns are relative to the folder of the commands, without '..'")
        if not 2 * MARGIN <= timeout <= 24 * 3600:
            raise ValueError(f"--timeout {timeout}: give {2 * MARGIN} to {24 * 3600} seconds")
        names = requested(gpus)
    except ValueError as error:
        give_up(BAD_COMMAND_LINE, str(error))
    if dry_run:
        files = sources(ROOT)
        print(f"uploads {len(files)} files, {sum((ROOT / path).stat().st_size for path in files) / 1024:.0f} KiB, of {ROOT}:")
        print("".join(f"  {path}\n" for path in files) + f"image   {IMAGE}, with g++, make, python")
        print(f"GPUs    {', '.join(map(modal_name, names))}; one container each, at the same time")
        print(f"compile {compile_command}\nrun     {run_command}\ncollect {collect or 'nothing'}")
        print(f"ends    after {timeout} s at the latest; the commands after {timeout - MARGIN} s")
        sys.exit(0)
    return names


def modal_name(gpu: str) -> str:
    """As Modal is asked for it: without the ! an H100 may be an H200."""
    return re.sub(r"^H100(?=:|$)", "H100!", gpu)


def give_up(status: int, message: str) -> None:
    print(f"benchmark_on_modal.py: {message}", file=sys.stderr, flush=True)
    sys.exit(status)


def checked_first(entrypoint: Callable) -> Callable:
    """Refuses a bad command line, answers --dry-run and asks for credentials while `modal run` still reads this file.

    By the time it calls the entrypoint it has logged in, built the image and started the app."""
    argv = sys.argv
    refs = (Path(__file__).name, f"{Path(__file__).name}::{entrypoint.__name__}")
    at = next((i for i, word in enumerate(argv) if "run" in argv[1:i] and Path(word).name in refs), None)
    if at is None or not modal.is_local():
        return entrypoint
    if {"--help", "-h"} & set(argv[at:]):
        print(__doc__)
        return entrypoint
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    for name, parameter in inspect.signature(entrypoint).parameters.items():
        how = {"action": argparse.BooleanOptionalAction} if parameter.annotation is bool else {}
        parser.add_argument("--" + name.replace("_", "-"), default=parameter.default, **how)
    options, unknown = parser.parse_known_args(argv[at + 1 :])
    if unknown or not str(options.timeout).isdecimal():
        return entrypoint  # modal says what is wrong, also before it logs in
    prepare(**{**vars(options), "timeout": int(options.timeout)})
    try:
        modal.Client.from_env().hello()
    except modal.exception.AuthError as error:
        give_up(NO_CREDENTIALS, f"Modal has no valid credentials of yours: run `modal token new`. It says: {error}")
    except modal.exception.ConnectionError as error:
        give_up(LOST, f"Modal cannot be reached; is there a network? It says: {error}")
    except modal.exception.Error:
        pass  # modal meets it again, and says more
    return entrypoint


# ----------------------------------------------------------------------------
# on this machine, afterwards


def failure(error: Exception) -> dict:
    """The result that stands for a run that returned none."""
    says = f"{type(error).__name__}: {error}"
    if isinstance(error, modal.exception.FunctionTimeoutError):
        status, reason = TIMED_OUT, "Modal ended the run, time was up: raise --timeout or run less"
    elif isinstance(error, modal.exception.AuthError):
        status, reason = NO_CREDENTIALS, f"Modal refused the credentials: run `modal token new`. It says: {says}"
    elif re.search("preempt", says, re.I):
        status, reason = PREEMPTED, f"{TAKEN_AWAY}. It says: {says}"
    else:
        status, reason = LOST, f"no result came from Modal: run it again; its dashboard has the log. It says: {says}"
    return {"status": status, "reason": reason, "given": [], "arch": "", "run": "", "seconds": None, "output": "", "files": {}}


def save(gpu: str, result: dict) -> None:
    """Writes modal_results/GPU.json (what was asked for and given), GPU.txt (the output) and the collected files in GPU/."""
    folder = RESULTS / gpu.replace(":", "x")
    folder.parent.mkdir(exist_ok=True)
    for name, content in result["files"].items():
        path = (folder / name).resolve()
        if not path.is_relative_to(folder.resolve()):
            print(f"{gpu}: not written, '{name}' leads out of {folder}", file=sys.stderr)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    record = {"asked": modal_name(gpu), "image": IMAGE, **result, "files": sorted(result["files"])}
    Path(f"{folder}.txt").write_text(record.pop("output"))
    Path(f"{folder}.json").write_text(json.dumps(record, indent=2) + "\n")


def comparison(results: dict[str, dict]) -> str:
    """The GPUs beside each other, as Markdown: each benchmark at its fastest block size. "" without JSON from several."""
    fastest: dict[tuple[str, str], dict] = {}
    for gpu, result in results.items():
        for name, content in result["files"].items():
            with contextlib.suppress(ValueError, KeyError, TypeError):  # what some other file runs into
                for row in json.loads(content)["benchmarks"]:
                    key = (re.sub(r"/block:\d+$", "", row["name"]), gpu)
                    if key not in fastest or row["real_time"] < fastest[key]["real_time"]:
                        fastest[key] = {**row, "cpu": json.loads(content)["context"].get("backend") == "cpu"}
    if len({gpu for _, gpu in fastest}) < 2:
        return ""
    cells = []
    for name, gpu in sorted(fastest, key=lambda key: (key[0], list(results).index(key[1]))):
        row = fastest[name, gpu]
        cells.append([name, gpu + (" (CPU time)" if row["cpu"] else ""), str(row.get("block_size") or "-"),
                      f"{row['real_time']:.2f} {row.get('time_unit', '')}",
                      f"{row['bytes_per_second'] / 1e9:.0f}" if row.get("bytes_per_second") else "-",
                      f"{row['of_copy'] * 100:.1f}%" if row.get("of_copy") else "-"])  # fmt: skip
    titles = ["benchmark", "GPU", "block", "time", "GB/s", "of copy"]
    widths = [max(map(len, column)) for column in zip(titles, *cells)]
    lines = [titles, ["-" * width for width in widths], *cells]
    return "".join("| " + " | ".join(map(str.ljust, line, widths)) + " |\n" for line in lines)


def ask(gpus: list[str], compile_command: str, run_command: str, collect: str, timeout: int) -> Iterator[tuple[str, dict]]:
    """Starts a run on each GPU, all at the same time; gives each one's result when it comes."""
    waiting, deadline = {}, time.monotonic() + timeout + QUEUE_SECONDS
    for gpu in gpus:
        try:
            function = run_benchmark.with_options(gpu=modal_name(gpu), timeout=timeout)
            waiting[gpu] = function.spawn(compile_command, run_command, gpu, collect, timeout - MARGIN)
        except Exception as error:  # a GPU that cannot be had must not lose what the others give
            yield gpu, failure(error)
    while waiting:
        for gpu, call in list(waiting.items()):
            try:
                result = call.get(timeout=1)
            except TimeoutError:  # not yet
                if time.monotonic() < deadline:
                    continue
                result = failure(RuntimeError(f"no result after {timeout + QUEUE_SECONDS} s: is no {gpu} free?"))
            except Exception as error:
                result = failure(error)
            del waiting[gpu]
            yield gpu, result


@app.local_entrypoint()
@checked_first
def main(compile_command: str = "", run_command: str = "", gpus: str = "", collect: str = "", timeout: int = 600,
         dry_run: bool = False):  # fmt: skip
    names = prepare(compile_command, run_command, gpus, collect, timeout, dry_run)
    RESULTS.mkdir(exist_ok=True)  # before anything is spent, in case it cannot be written
    results = dict.fromkeys(names)
    for gpu, result in ask(names, compile_command, run_command, collect, timeout):
        results[gpu] = result
        try:
            save(gpu, result)
        except OSError as error:
            print(f"{gpu}: not written: {error}", file=sys.stderr)
    time.sleep(LOG_SECONDS)
    print(f"\nwhat was given, all output, and collected files are in {RESULTS}/")
    for gpu, result in results.items():
        names = ", ".join(device["name"] for device in result["given"]) or "no GPU"
        seconds = "" if result["seconds"] is None else f" after {result['seconds']} s"
        print(f"{gpu}: status {result['status']}{seconds} on {names}, {len(result['files'])} files", flush=True)
        if result["reason"]:
            print(f"{gpu}: {result['reason']}", file=sys.stderr, flush=True)
    if text := comparison(results):
        (RESULTS / "comparison.md").write_text(text)
        print("\n" + text, flush=True)
    if failed := [result["status"] for result in results.values() if result["status"]]:
        sys.exit(failed[0])
