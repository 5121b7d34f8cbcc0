// The runtime API: results, error codes, and what stays the same after an error.
#include <cuda_profiler_api.h>
#include <stdint.h>
#include <string.h>

#include <vector>

#include "check.h"

__global__ void fill(int* out, int value, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { out[i] = value; }
}
__global__ void big_shared(int* out) {
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
    *out = s[threadIdx.x];
}
template <class T>
__global__ void deduced_shared(T* out) {
    extern __shared__ int s2[];
    s2[threadIdx.x] = 1;
    *out = s2[threadIdx.x];
}

static void memory() {
    int *p = nullptr, *q = nullptr;
    OK(cudaMalloc(&p, 1000));
    CHECK((uintptr_t)p % 256 == 0);
    OK(cudaMalloc((void**)&q, 1000));
    OK(cudaFree(nullptr));
    CHECK_ERROR(cudaMalloc(&q, (size_t)1 << 60), cudaErrorMemoryAllocation);
    CHECK_ERROR(cudaGetLastError(), cudaErrorMemoryAllocation);
    CHECK_ERROR(cudaGetLastError(), cudaSuccess);
    int host[4] = {1, 2, 3, 4}, back[4] = {};
    CHECK_ERROR(cudaFree(host), cudaErrorInvalidValue);
    CHECK_ERROR(cudaFree(p + 1), cudaErrorInvalidValue);
    CHECK_ERROR(cudaMemcpy(p, host, 16, (cudaMemcpyKind)77), cudaErrorInvalidMemcpyDirection);
    CHECK_ERROR(cudaMemcpy(host, back, 16, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
    CHECK_ERROR(cudaMemcpy(p, nullptr, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    OK(cudaMemcpy(p, host, 16, cudaMemcpyHostToDevice));
    OK(cudaMemcpyAsync(back, p, 16, cudaMemcpyDeviceToHost));
    OK(cudaDeviceSynchronize());
    CHECK(memcmp(host, back, 16) == 0);
    OK(cudaMemset(p, 0xff, 8));
    OK(cudaMemcpy(back, p, 16, cudaMemcpyDefault));
    CHECK(back[0] == -1 && back[1] == -1 && back[2] == 3);
    OK(cudaMemcpy2D(back, 4, p, 8, 4, 2, cudaMemcpyDeviceToHost));
    CHECK(back[0] == -1 && back[1] == 3);
    CHECK_ERROR(cudaMemcpy2D(back, 2, p, 8, 4, 2, cudaMemcpyDeviceToHost), cudaErrorInvalidPitchValue);
    OK(cudaFree(p));
    CHECK_ERROR(cudaFree(p), cudaErrorInvalidValue);
    int* pinned = nullptr;
    OK(cudaMallocHost(&pinned, 64));
    pinned[0] = 1;
    cudaPointerAttributes attributes;
    OK(cudaPointerGetAttributes(&attributes, pinned));
    CHECK(attributes.type == cudaMemoryTypeHost && attributes.hostPointer == pinned);
    OK(cudaPointerGetAttributes(&attributes, host));
    CHECK(attributes.type == cudaMemoryTypeUnregistered);
    OK(cudaFreeHost(pinned));
    OK(cudaMallocAsync(&p, 64, 0));
    OK(cudaPointerGetAttributes(&attributes, p));
    CHECK(attributes.type == cudaMemoryTypeDevice && attributes.devicePointer == p);
    OK(cudaFreeAsync(p, 0));
    size_t free = 0, total = 0;
    OK(cudaMemGetInfo(&free, &total));
    CHECK(free > 0 && free <= total);
    cudaGetLastError();
}

static void launches() {
    int* out = managed<int>(1024);
    auto refused = [&](dim3 grid, dim3 block, size_t shared, cudaError_t expected) {
        *out = 0;
        fill<<<grid, block, shared>>>(out, 1, 1);
        CHECK_ERROR(cudaPeekAtLastError(), expected);
        CHECK_ERROR(cudaGetLastError(), expected);
        CHECK_ERROR(cudaGetLastError(), cudaSuccess);
        OK(cudaDeviceSynchronize());
        CHECK(*out == (expected == cudaSuccess));
    };
    refused(1, 1024, 0, cudaSuccess);
    refused(1, 1025, 0, cudaErrorInvalidValue);
    refused(1, dim3(32, 33), 0, cudaErrorInvalidValue);
    refused(1, dim3(1, 1, 65), 0, cudaErrorInvalidValue);
    refused(1, dim3(1, 1, 64), 0, cudaSuccess);
    refused(0, 1, 0, cudaErrorInvalidValue);
    refused(1, 0, 0, cudaErrorInvalidValue);
    refused(dim3(1, 65536), 1, 0, cudaErrorInvalidValue);
    refused(dim3(1, 1, 65536), 1, 0, cudaErrorInvalidValue);
    refused(1, 1, 48 * 1024, cudaSuccess);
    refused(1, 1, 48 * 1024 + 1, cudaErrorInvalidValue);

    big_shared<<<1, 1, 100 * 1024>>>(out);
    CHECK_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
    deduced_shared<<<1, 1, 100 * 1024>>>(out);
    CHECK_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
    CHECK_ERROR(cudaFuncSetAttribute(big_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 * 1024),
                cudaErrorInvalidValue);
    cudaGetLastError();
    OK(cudaFuncSetAttribute(big_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024));
    OK(cudaFuncSetAttribute(deduced_shared<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024));
    big_shared<<<1, 1, 100 * 1024>>>(out);
    OK(cudaGetLastError());
    deduced_shared<<<1, 1, 100 * 1024>>>(out);
    OK(cudaGetLastError());
    big_shared<<<1, 1, 100 * 1024 + 1>>>(out);
    CHECK_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
    cudaFuncAttributes attributes;
    OK(cudaFuncGetAttributes(&attributes, big_shared));
    CHECK(attributes.maxDynamicSharedSizeBytes == 100 * 1024 && attributes.maxThreadsPerBlock == 1024);

    int blocks = 0, block_size = 0, grid_size = 0;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 256, 0));
    CHECK(blocks == 8);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, big_shared, 32, 100 * 1024));
    CHECK(blocks == 2);
    OK(cudaOccupancyMaxPotentialBlockSize(&grid_size, &block_size, fill));
    CHECK(block_size > 0 && block_size <= 1024 && grid_size >= 1);
    // Many launches after each other, of all sizes.
    for (int i = 0; i < 2000; i++) { fill<<<i % 7 + 1, i % 100 + 1>>>(out, i, 1); }
    OK(cudaDeviceSynchronize());
    CHECK(*out == 1999);
}

static void streams_and_events() {
    cudaStream_t stream;
    cudaEvent_t start, end, untimed;
    OK(cudaStreamCreate(&stream));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&end));
    OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    float ms = -1;
    CHECK_ERROR(cudaEventElapsedTime(&ms, start, end), cudaErrorInvalidResourceHandle);
    int* out = managed<int>(1 << 20);
    OK(cudaEventRecord(start, stream));
    for (int i = 0; i < 20; i++) { fill<<<4096, 256, 0, stream>>>(out, 3, 1 << 20); }
    OK(cudaEventRecord(end, stream));
    OK(cudaEventSynchronize(end));
    OK(cudaEventQuery(end));
    OK(cudaEventElapsedTime(&ms, start, end));
    CHECK(ms > 0 && ms < 10000);
    CHECK(out[0] == 3 && out[(1 << 20) - 1] == 3);
    OK(cudaEventRecord(untimed, stream));
    CHECK_ERROR(cudaEventElapsedTime(&ms, start, untimed), cudaErrorInvalidResourceHandle);
    OK(cudaStreamWaitEvent(stream, end, 0));
    OK(cudaStreamSynchronize(stream));
    OK(cudaStreamQuery(stream));
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(end));
    OK(cudaEventDestroy(untimed));
    OK(cudaStreamDestroy(stream));
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaStreamDestroy(stream));
    cudaGetLastError();
}

static void device() {
    int count = 0, value = -1;
    OK(cudaGetDeviceCount(&count));
    CHECK(count >= 1);
    OK(cudaSetDevice(0));
    OK(cudaGetDevice(&value));
    CHECK(value == 0);
    CHECK_ERROR(cudaSetDevice(1000), cudaErrorInvalidDevice);
    cudaGetLastError();
    cudaDeviceProp p;
    OK(cudaGetDeviceProperties(&p, 0));
    CHECK(p.warpSize == 32 && p.maxThreadsPerBlock == 1024 && p.sharedMemPerBlock == 48 * 1024 &&
          p.multiProcessorCount >= 1);
    CHECK(p.totalGlobalMem > 0 && p.maxGridSize[0] == 2147483647 && p.maxThreadsDim[2] == 64 && strlen(p.name) > 0);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    CHECK(value == p.multiProcessorCount);
    CHECK_ERROR(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)100000, 0), cudaErrorInvalidValue);
    cudaGetLastError();
    OK(cudaRuntimeGetVersion(&value));
    CHECK(value >= 11000);
    CHECK(strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
    CHECK(strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
    size_t limit = 0;
    OK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    CHECK(limit > 0);
    OK(cudaProfilerStart());
    OK(cudaProfilerStop());
}

int main() {
    memory();
    launches();
    streams_and_events();
    device();
    return finish();
}
