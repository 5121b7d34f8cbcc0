// What is kept about a kernel, and whether it may be launched.
#include <algorithm>
#include <map>
#include <mutex>

#include "device_limits.h"
#include "error.h"
#include "schedule.h"

namespace cuda_cpu {

namespace {

std::mutex mutex;
std::map<const void*, size_t>& dynamic_limits() {  // where cudaFuncSetAttribute has set one
    static auto& limits = *new std::map<const void*, size_t>;
    return limits;
}

size_t dynamic_limit(const void* kernel) {
    std::lock_guard lock(mutex);
    const auto& limits = dynamic_limits();
    size_t limit = max_shared;
    if (kernel) {
        const auto found = limits.find(kernel);
        return found == limits.end() ? limit : found->second;
    }
    // A template whose arguments were deduced has no address that could be looked up: any kernel's limit will do.
    for (const auto& [other, bytes] : limits) { limit = std::max(limit, bytes); }
    return limit;
}

bool within(dim3 size, const unsigned (&limits)[3]) {
    return size.x && size.y && size.z && size.x <= limits[0] && size.y <= limits[1] && size.z <= limits[2];
}

cudaError_t check(const Config& config, const void* kernel) {
    if (!is_stream(config.stream)) { return cudaErrorInvalidResourceHandle; }
    const bool possible = within(config.block, max_block) && within(config.grid, max_grid) &&
                          config.block.x * config.block.y * config.block.z <= max_threads_per_block &&
                          config.shared <= dynamic_limit(kernel);
    return possible ? cudaSuccess : cudaErrorInvalidValue;  // so CUDA 13.0, where earlier ones had InvalidConfiguration
}

}  // namespace

void launch(const Config& config, const Call& call) {
    const cudaError_t error = check(config, call.address);
    if (error != cudaSuccess) {
        report(error);
        return;
    }
    run_grid(config, call);
}

}  // namespace cuda_cpu

using namespace cuda_cpu;

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
    if (!attributes) { return report(cudaErrorInvalidValue); }
    if (!function) { return report(cudaErrorInvalidDeviceFunction); }
    *attributes = {};
    attributes->maxThreadsPerBlock = max_threads_per_block;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(dynamic_limit(function));
    attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
    if (!function) { return report(cudaErrorInvalidDeviceFunction); }
    switch (attribute) {
        case cudaFuncAttributeMaxDynamicSharedMemorySize: {
            if (value < 0 || static_cast<size_t>(value) > max_shared_optin) { return report(cudaErrorInvalidValue); }
            std::lock_guard lock(mutex);
            dynamic_limits()[function] = value;
            return cudaSuccess;
        }
        case cudaFuncAttributePreferredSharedMemoryCarveout:
            return report(value < -1 || value > 100 ? cudaErrorInvalidValue : cudaSuccess);
    }
    return report(cudaErrorInvalidValue);
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
    return report(function ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int block_size,
                                                                   size_t dynamic_shared, unsigned) {
    if (!blocks || block_size <= 0) { return report(cudaErrorInvalidValue); }
    if (!function) { return report(cudaErrorInvalidDeviceFunction); }
    const unsigned threads = (block_size + 31) / 32 * 32;
    const size_t shared = dynamic_shared + reserved_shared;
    *blocks = 0;
    if (static_cast<unsigned>(block_size) > max_threads_per_block || dynamic_shared > dynamic_limit(function)) {
        return cudaSuccess;
    }
    *blocks = static_cast<int>(std::min({max_blocks_per_multiprocessor, max_threads_per_multiprocessor / threads,
                                         static_cast<unsigned>(shared_per_multiprocessor / shared)}));
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block_size,
                                                          size_t dynamic_shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size, dynamic_shared,
                                                                  cudaOccupancyDefault);
}
