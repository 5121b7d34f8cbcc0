"""Stands in for Modal's servers, so that the real client can be run without an account: as much of their protocol as
`modal run benchmark_on_modal.py` uses. A function call is carried out in a process of its own on this machine, where
nvidia-smi is a script that shows the GPU that was asked for, or another.
"""

import asyncio
import os
import pathlib
import pickle
import subprocess
import sys
import threading

import grpclib
import grpclib.server
from google.protobuf.empty_pb2 import Empty
from modal._serialization import deserialize, serialize
from modal_proto import api_grpc
from modal_proto import api_pb2 as api

NVIDIA_SMI = """#!/bin/sh
for i in $(seq {count}); do echo "{name}, 580.95.05, 345 MHz, 1980 MHz, 81559 MiB, {capability}"; done
"""
NAMES = {"L4": ("NVIDIA L4", "8.9"), "A100-40GB": ("NVIDIA A100-SXM4-40GB", "8.0"), "A100-80GB": ("NVIDIA A100-SXM4-80GB", "8.0"),
         "H100!": ("NVIDIA H100 80GB HBM3", "9.0"), "H100": ("NVIDIA H200", "9.0"), "B200": ("NVIDIA B200", "10.0")}  # fmt: skip
WORKER = """
import pickle, sys
import benchmark_on_modal
arguments, out = sys.argv[1:]
args, kwargs = pickle.load(open(arguments, "rb"))
pickle.dump(benchmark_on_modal.run_benchmark.local(*args, **kwargs), open(out, "wb"))
"""


def nvidia_smi(folder: pathlib.Path, name: str, capability: str, count: int = 1) -> pathlib.Path:
    """Writes an nvidia-smi into a folder, which is to stand first on the PATH."""
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "nvidia-smi"
    script.write_text(NVIDIA_SMI.format(name=name, capability=capability, count=count))
    script.chmod(0o755)
    return folder


class Servers(api_grpc.ModalClientBase):
    """What a test can see: uploaded (paths), dockerfile (lines), functions, options (of with_options). What it can set:
    given, asked GPU type -> (nvidia-smi's name, compute capability); ends, asked GPU type -> how its call ends without a result."""

    def __init__(self, module: pathlib.Path, folder: pathlib.Path):
        self.module, self.folder = module, folder
        self.uploaded, self.dockerfile, self.functions, self.options, self.calls = [], [], [], {}, {}
        self.given, self.ends, self.inputs = dict(NAMES), {}, 0
        self.logs: asyncio.Queue = None

    # ---- the calls that are only answered

    async def ClientHello(self, stream):
        await stream.recv_message()
        if dict(stream.metadata).get("x-modal-token-id") == "refused":
            raise grpclib.GRPCError(grpclib.Status.UNAUTHENTICATED, "Token ID is malformed")
        await stream.send_message(api.ClientHelloResponse())

    async def AppCreate(self, stream):
        await answer(stream, api.AppCreateResponse(app_id="ap-1", app_page_url="http://localhost/ap-1"))

    async def AppHeartbeat(self, stream):
        await answer(stream, Empty())

    async def AppPublish(self, stream):
        await answer(stream, api.AppPublishResponse())

    async def EnvironmentGetOrCreate(self, stream):
        settings = api.EnvironmentSettings(image_builder_version="2025.06")
        metadata = api.EnvironmentMetadata(name="main", settings=settings)
        await answer(stream, api.EnvironmentGetOrCreateResponse(environment_id="en-1", metadata=metadata))

    async def MountBatchedCheckExistence(self, stream):  # every file is there: nothing is sent
        await answer(stream, api.MountBatchedCheckExistenceResponse())

    async def MountPutFile(self, stream):
        await answer(stream, api.MountPutFileResponse(exists=True))

    async def MountGetOrCreate(self, stream):
        request = await stream.recv_message()
        self.uploaded += [file.filename for file in request.files]
        await stream.send_message(api.MountGetOrCreateResponse(
            mount_id="mo-1", handle_metadata=api.MountHandleMetadata(content_checksum_sha256_hex="00")))  # fmt: skip

    async def ImageGetOrCreate(self, stream):
        request = await stream.recv_message()
        self.dockerfile += request.image.dockerfile_commands
        success = api.GenericResult(status=api.GenericResult.GENERIC_STATUS_SUCCESS)
        await stream.send_message(api.ImageGetOrCreateResponse(image_id="im-1", result=success))

    def metadata(self):
        return api.FunctionHandleMetadata(function_name="run_benchmark", function_type=api.Function.FUNCTION_TYPE_FUNCTION)

    async def FunctionPrecreate(self, stream):
        await answer(stream, api.FunctionPrecreateResponse(function_id="fu-1", handle_metadata=self.metadata()))

    async def FunctionCreate(self, stream):
        request = await stream.recv_message()
        self.functions.append(request.function)
        await stream.send_message(api.FunctionCreateResponse(
            function_id="fu-1", function=request.function, handle_metadata=self.metadata()))  # fmt: skip

    async def FunctionBindParams(self, stream):
        request = await stream.recv_message()
        function_id = f"fu-{len(self.options) + 2}"
        self.options[function_id] = request.function_options
        await stream.send_message(api.FunctionBindParamsResponse(bound_function_id=function_id, handle_metadata=self.metadata()))

    # ---- a function call

    async def FunctionMap(self, stream):
        request = await stream.recv_message()
        call_id = f"fc-{len(self.calls) + 1}"
        args = deserialize(request.pipelined_inputs[0].input.args, None)
        gpu = self.options[request.function_id].resources.gpu_config
        self.calls[call_id] = asyncio.create_task(self.carry_out(call_id, gpu, args))
        items = [api.FunctionPutInputsResponseItem(input_id=f"in-{call_id}", idx=0)]
        await stream.send_message(api.FunctionMapResponse(function_call_id=call_id, pipelined_inputs=items))

    async def carry_out(self, call_id, gpu, args) -> api.GenericResult:
        if gpu.gpu_type in self.ends:
            return self.ends[gpu.gpu_type]
        box = self.folder / call_id
        path = nvidia_smi(box, *self.given[gpu.gpu_type], gpu.count)
        (box / "arguments").write_bytes(pickle.dumps(args))
        environment = {**os.environ, "PATH": f"{path}:{os.environ['PATH']}", "PYTHONPATH": str(self.module.parent)}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", WORKER, box / "arguments", box / "result", env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
        async for line in process.stdout:
            await self.logs.put(line.decode())
        await process.wait()
        result = pickle.loads((box / "result").read_bytes())
        return api.GenericResult(status=api.GenericResult.GENERIC_STATUS_SUCCESS, data=serialize(result))

    async def FunctionGetOutputs(self, stream):
        request = await stream.recv_message()
        call = self.calls[request.function_call_id]
        await asyncio.wait([call], timeout=request.timeout)
        if not call.done():
            await stream.send_message(api.FunctionGetOutputsResponse(num_unfinished_inputs=1))
            return
        item = api.FunctionGetOutputsItem(result=call.result(), idx=0, input_id=f"in-{request.function_call_id}",
                                          data_format=api.DATA_FORMAT_PICKLE)  # fmt: skip
        await stream.send_message(api.FunctionGetOutputsResponse(outputs=[item], idxs=[0], last_entry_id="1-0"))

    async def AppGetLogs(self, stream):
        await stream.recv_message()
        number = 0
        while (line := await self.logs.get()) is not None:
            number += 1
            items = [api.TaskLogs(data=line, file_descriptor=api.FILE_DESCRIPTOR_STDOUT)]
            await stream.send_message(api.TaskLogsBatch(entry_id=f"{number}-0", task_id="ta-1", items=items))
        await stream.send_message(api.TaskLogsBatch(app_done=True))

    async def AppClientDisconnect(self, stream):
        await answer(stream, Empty())
        await self.logs.put(None)


async def answer(stream, message) -> None:
    await stream.recv_message()
    await stream.send_message(message)


def unknown(name: str):
    async def refuse(self, stream) -> None:
        raise grpclib.GRPCError(grpclib.Status.UNIMPLEMENTED, f"the stand-in for Modal's servers lacks {name}")

    return refuse


for name in list(Servers.__abstractmethods__):
    setattr(Servers, name, unknown(name))
Servers.__abstractmethods__ = frozenset()


def start(servers: Servers) -> str:
    """Serves in a thread until the process ends; returns the address."""
    started, address = threading.Event(), []

    async def serve():
        servers.logs = asyncio.Queue()
        server = grpclib.server.Server([servers])
        await server.start("127.0.0.1", 0)
        address.append(f"http://127.0.0.1:{server._server.sockets[0].getsockname()[1]}")
        started.set()
        await server.wait_closed()

    threading.Thread(target=lambda: asyncio.run(serve()), daemon=True).start()
    assert started.wait(10)
    return address[0]
