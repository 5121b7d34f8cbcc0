// Device memory: the host's, with a register of what is allocated, so that wrong pointers and sizes are told from right
// ones.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <map>
#include <mutex>

#include "cuda_cpu/api_templates.h"
#include "device.h"
#include "error.h"

namespace cuda_cpu {

namespace {

struct Allocation {
    size_t bytes;
    cudaMemoryType type;
    bool symbol;  // a __device__ variable, which cannot be freed
};

std::mutex mutex;
std::map<uintptr_t, Allocation>& allocations() {
    static auto& all = *new std::map<uintptr_t, Allocation>;
    return all;
}

uintptr_t number(const void* pointer) {
    return reinterpret_cast<uintptr_t>(pointer);
}

// The allocation that `pointer` lies in; null where there is none. The mutex must be held.
const std::pair<const uintptr_t, Allocation>* find(const void* pointer) {
    auto after = allocations().upper_bound(number(pointer));
    if (after == allocations().begin()) { return nullptr; }
    const auto& candidate = *--after;
    return number(pointer) < candidate.first + candidate.second.bytes ? &candidate : nullptr;
}

cudaError_t allocate(void** pointer, size_t bytes, cudaMemoryType type) {
    if (!pointer) { return cudaErrorInvalidValue; }
    *pointer = nullptr;
    if (bytes == 0) { return cudaSuccess; }
    // The machine promises more memory than it has, and ends the program when the promise is called in.
    if (bytes > SIZE_MAX / 2 || (bytes > (size_t{64} << 20) && bytes > available_memory())) {
        return cudaErrorMemoryAllocation;
    }
    void* memory = nullptr;
    if (posix_memalign(&memory, 256, bytes) != 0) { return cudaErrorMemoryAllocation; }
    std::lock_guard lock(mutex);
    allocations()[number(memory)] = {bytes, type, false};
    *pointer = memory;
    return cudaSuccess;
}

cudaError_t release(void* pointer, bool host) {
    if (!pointer) { return cudaSuccess; }
    {
        std::lock_guard lock(mutex);
        const auto found = allocations().find(number(pointer));
        if (found == allocations().end() || found->second.symbol ||
            (found->second.type == cudaMemoryTypeHost) != host) {
            return cudaErrorInvalidValue;
        }
        allocations().erase(found);
    }
    free(pointer);
    return cudaSuccess;
}

// Is [pointer, pointer + bytes) memory that a kernel may use, or that (on the host's side) is not known to be too
// short?
bool valid(const void* pointer, size_t bytes, bool device) {
    if (!pointer) { return false; }
    std::lock_guard lock(mutex);
    const auto* allocation = find(pointer);
    if (!allocation) { return !device; }
    return bytes <= allocation->first + allocation->second.bytes - number(pointer);
}

cudaError_t copy(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width, size_t height,
                 cudaMemcpyKind kind) {
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) { return cudaErrorInvalidMemcpyDirection; }
    if (width == 0 || height == 0) { return cudaSuccess; }
    if (height > 1 && (dst_pitch < width || src_pitch < width)) { return cudaErrorInvalidPitchValue; }
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (!valid(dst, (height - 1) * dst_pitch + width, to_device) ||
        !valid(src, (height - 1) * src_pitch + width, from_device)) {
        return cudaErrorInvalidValue;
    }
    for (size_t row = 0; row < height; row++) {
        memmove(static_cast<char*>(dst) + row * dst_pitch, static_cast<const char*>(src) + row * src_pitch, width);
    }
    return cudaSuccess;
}

cudaError_t fill(void* dst, size_t pitch, int value, size_t width, size_t height) {
    if (width == 0 || height == 0) { return cudaSuccess; }
    if (height > 1 && pitch < width) { return cudaErrorInvalidPitchValue; }
    if (!valid(dst, (height - 1) * pitch + width, true)) { return cudaErrorInvalidValue; }
    for (size_t row = 0; row < height; row++) { memset(static_cast<char*>(dst) + row * pitch, value, width); }
    return cudaSuccess;
}

}  // namespace

void* symbol_address(const void* symbol, size_t bytes) {
    std::lock_guard lock(mutex);
    allocations()[number(symbol)] = {bytes, cudaMemoryTypeDevice, true};
    return const_cast<void*>(symbol);
}

cudaError_t copy_symbol(void* dst, const void* src, size_t bytes, size_t symbol_bytes, size_t offset,
                        cudaMemcpyKind kind) {
    const bool into_symbol = kind == cudaMemcpyHostToDevice;
    if (bytes > symbol_bytes || offset > symbol_bytes - bytes) { return report(cudaErrorInvalidValue); }
    if (into_symbol) { return cudaMemcpy(static_cast<char*>(dst) + offset, src, bytes, kind); }
    return cudaMemcpy(dst, static_cast<const char*>(src) + offset, bytes, kind);
}

}  // namespace cuda_cpu

using namespace cuda_cpu;

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
    return report(allocate(pointer, bytes, cudaMemoryTypeDevice));
}

cudaError_t cudaFree(void* pointer) {
    return report(release(pointer, false));
}

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
    return is_stream(stream) ? cudaMalloc(pointer, bytes) : report(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    return is_stream(stream) ? cudaFree(pointer) : report(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned) {
    return report(allocate(pointer, bytes, cudaMemoryTypeHost));
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
    return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void* pointer) {
    return report(release(pointer, true));
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
    if (!device || !host || flags != 0) { return report(cudaErrorInvalidValue); }
    std::lock_guard lock(mutex);
    if (!find(host)) { return report(cudaErrorInvalidValue); }
    *device = host;
    return cudaSuccess;
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
    if (bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) {
        return report(cudaErrorInvalidValue);
    }
    return report(allocate(pointer, bytes, cudaMemoryTypeManaged));
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
    if (!pitch) { return report(cudaErrorInvalidValue); }
    *pitch = (width + 511) / 512 * 512;
    if (height && *pitch > SIZE_MAX / height) { return report(cudaErrorMemoryAllocation); }
    return cudaMalloc(pointer, *pitch * height);
}

cudaError_t cudaMemcpy(void* dst, const void* src, size_t bytes, cudaMemcpyKind kind) {
    return report(copy(dst, bytes, src, bytes, bytes, 1, kind));
}

cudaError_t cudaMemcpyAsync(void* dst, const void* src, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return is_stream(stream) ? cudaMemcpy(dst, src, bytes, kind) : report(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMemcpy2D(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
    return report(copy(dst, dst_pitch, src, src_pitch, width, height, kind));
}

cudaError_t cudaMemcpy2DAsync(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return is_stream(stream) ? cudaMemcpy2D(dst, dst_pitch, src, src_pitch, width, height, kind)
                             : report(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMemset(void* dst, int value, size_t bytes) {
    return report(fill(dst, bytes, value, bytes, 1));
}

cudaError_t cudaMemsetAsync(void* dst, int value, size_t bytes, cudaStream_t stream) {
    return is_stream(stream) ? cudaMemset(dst, value, bytes) : report(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMemset2D(void* dst, size_t pitch, int value, size_t width, size_t height) {
    return report(fill(dst, pitch, value, width, height));
}

cudaError_t cudaMemset2DAsync(void* dst, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
    return is_stream(stream) ? cudaMemset2D(dst, pitch, value, width, height) : report(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
    if (!free || !total) { return report(cudaErrorInvalidValue); }
    *free = available_memory();
    *total = total_memory();
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    if (!attributes) { return report(cudaErrorInvalidValue); }
    *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, nullptr};
    std::lock_guard lock(mutex);
    if (const auto* allocation = find(pointer)) {
        void* address = const_cast<void*>(pointer);
        const cudaMemoryType type = allocation->second.type;
        *attributes = {type, 0, address, type == cudaMemoryTypeDevice ? nullptr : address};
    }
    return cudaSuccess;
}
