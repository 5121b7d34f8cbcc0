// The typed forms of runtime API calls: pointers to any type, kernels, symbols.
#pragma once
#include <tuple>
#include <utility>

#include "cuda_cpu/api.h"
#include "cuda_cpu/launch.h"

// memory

template <class T>
cudaError_t cudaMalloc(T** pointer, size_t bytes) {
    return cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
    return cudaMallocAsync(reinterpret_cast<void**>(pointer), bytes, stream);
}
template <class T>
cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned flags = 0) {
    return cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <class T>
cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned flags) {
    return cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned flags) {
    return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}
template <class T>
cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned flags = cudaMemAttachGlobal) {
    return cudaMallocManaged(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <class T>
cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
    return cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height);
}

// symbols: __device__ and __constant__ variables, which are plain globals here

namespace cuda_cpu {
// Makes the variable known as device memory, so that copies to and from it are in bounds.
void* symbol_address(const void* symbol, size_t bytes);
cudaError_t copy_symbol(void* dst, const void* src, size_t bytes, size_t symbol_bytes, size_t offset,
                        cudaMemcpyKind kind);
}  // namespace cuda_cpu

template <class T>
cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
    if (!pointer) { return cudaErrorInvalidValue; }
    *pointer = cuda_cpu::symbol_address(&symbol, sizeof(T));
    return cudaSuccess;
}
template <class T>
cudaError_t cudaGetSymbolSize(size_t* size, const T&) {
    if (!size) { return cudaErrorInvalidValue; }
    *size = sizeof(T);
    return cudaSuccess;
}
template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* src, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return cuda_cpu::copy_symbol(cuda_cpu::symbol_address(&symbol, sizeof(T)), src, bytes, sizeof(T), offset, kind);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* src, size_t bytes, size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t = 0) {
    return cudaMemcpyToSymbol(symbol, src, bytes, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* dst, const T& symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return cuda_cpu::copy_symbol(dst, cuda_cpu::symbol_address(&symbol, sizeof(T)), bytes, sizeof(T), offset, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const T& symbol, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t = 0) {
    return cudaMemcpyFromSymbol(dst, symbol, bytes, offset, kind);
}

// kernels

template <class T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
    return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <class T>
cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
    return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <class T>
cudaError_t cudaFuncSetCacheConfig(T* kernel, cudaFuncCache config) {
    return cudaFuncSetCacheConfig(reinterpret_cast<const void*>(kernel), config);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T kernel, int block_size,
                                                          size_t dynamic_shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(kernel), block_size,
                                                         dynamic_shared);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, T kernel, size_t dynamic_shared = 0,
                                               int limit = 0) {
    if (!grid_size || !block_size || !kernel) { return cudaErrorInvalidValue; }
    int blocks = 0, multiprocessors = 0;
    *block_size = limit > 0 && limit < 1024 ? limit : 1024;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, *block_size, dynamic_shared);
    *grid_size = blocks * multiprocessors;
    return error;
}

struct cudaLaunchConfig_t {
    dim3 gridDim;
    dim3 blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    struct cudaLaunchAttribute_st* attrs;
    unsigned numAttrs;
};

namespace cuda_cpu {
template <class... Parameters, size_t... i>
void launch_from_array(void (*function)(Parameters...), const Config& config, void** arguments,
                       std::index_sequence<i...>) {
    const auto call = [function](const auto&... a) { function(a...); };
    kernel(
        "cudaLaunchKernel", [function](int) { return function; }, call)(
        config.grid, config.block, config.shared,
        config.stream)(*static_cast<std::remove_reference_t<Parameters>*>(arguments[i])...);
}
}  // namespace cuda_cpu

template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                             cudaStream_t stream = 0) {
    if (!kernel) { return cudaErrorInvalidDeviceFunction; }
    cuda_cpu::launch_from_array(kernel, {grid, block, shared, stream}, arguments,
                                std::index_sequence_for<Parameters...>());
    return cudaPeekAtLastError();
}
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
    if (!config || config->numAttrs != 0) { return config ? cudaErrorNotSupported : cudaErrorInvalidValue; }
    std::tuple<std::remove_cv_t<Parameters>...> values(std::forward<Arguments>(arguments)...);
    return std::apply(
        [&](auto&... value) {
            void* pointers[] = {&value..., nullptr};
            return cudaLaunchKernel(kernel, config->gridDim, config->blockDim, pointers, config->dynamicSmemBytes,
                                    config->stream);
        },
        values);
}
