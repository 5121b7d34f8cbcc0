// The one device there is: the CPU, described as what it is, with the limits of a GPU.
#include "device.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "device_limits.h"
#include "error.h"
#include "schedule.h"

namespace cuda_cpu {

namespace {

size_t read_number(const char* path, size_t otherwise) {
    std::ifstream file(path);
    size_t value;
    return file >> value ? value : otherwise;
}

// The number in a line "key: number kB" of /proc/meminfo, in bytes.
size_t meminfo(const std::string& key) {
    std::ifstream file("/proc/meminfo");
    std::string line;
    while (std::getline(file, line)) {
        if (line.rfind(key + ":", 0) == 0) { return std::stoull(line.substr(key.size() + 1)) * 1024; }
    }
    return 0;
}

size_t memory_limit() {
    return read_number("/sys/fs/cgroup/memory.max", SIZE_MAX);
}

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line)) {
        if (line.rfind("model name", 0) == 0) { return line.substr(line.find(':') + 2); }
    }
    return "unknown processor";
}

int last_level_cache() {
    size_t largest = 0;
    for (int i = 0; i < 8; i++) {
        const std::string path = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i) + "/size";
        std::ifstream file(path);
        size_t value;
        char unit = 0;
        if (!(file >> value)) { continue; }
        file >> unit;
        largest = std::max(largest, value * (unit == 'M' ? 1024 * 1024 : unit == 'K' ? 1024 : 1));
    }
    return static_cast<int>(std::min<size_t>(largest, INT_MAX));
}

cudaDeviceProp describe() {
    cudaDeviceProp p = {};
    const int cores = static_cast<int>(thread_count());
    snprintf(p.name, sizeof(p.name), "CPU (%.200s, %d core%s)", processor_name().c_str(), cores, cores == 1 ? "" : "s");
    p.totalGlobalMem = total_memory();
    p.sharedMemPerBlock = max_shared;
    p.regsPerBlock = registers;
    p.warpSize = warpSize;
    p.memPitch = INT_MAX;
    p.maxThreadsPerBlock = max_threads_per_block;
    for (int i = 0; i < 3; i++) {
        p.maxThreadsDim[i] = static_cast<int>(max_block[i]);
        p.maxGridSize[i] = static_cast<int>(max_grid[i]);
    }
    p.totalConstMem = 64 * 1024;
    p.textureAlignment = 512;
    p.multiProcessorCount = cores;
    p.integrated = 1;
    p.canMapHostMemory = 1;
    p.concurrentKernels = 0;
    p.unifiedAddressing = 1;
    p.l2CacheSize = last_level_cache();
    p.maxThreadsPerMultiProcessor = max_threads_per_multiprocessor;
    p.sharedMemPerMultiprocessor = shared_per_multiprocessor;
    p.regsPerMultiprocessor = registers;
    p.managedMemory = 1;
    p.hostNativeAtomicSupported = 1;
    p.pageableMemoryAccess = 1;
    p.concurrentManagedAccess = 1;
    p.sharedMemPerBlockOptin = max_shared_optin;
    p.maxBlocksPerMultiProcessor = max_blocks_per_multiprocessor;
    p.reservedSharedMemPerBlock = reserved_shared;
    p.memoryPoolsSupported = 1;
    return p;
}

const cudaDeviceProp& properties() {
    static const cudaDeviceProp p = describe();
    return p;
}

}  // namespace

size_t total_memory() {
    return std::min(meminfo("MemTotal"), memory_limit());
}

size_t available_memory() {
    const size_t limit = memory_limit(), used = read_number("/sys/fs/cgroup/memory.current", 0);
    const size_t left = limit == SIZE_MAX ? SIZE_MAX : limit - std::min(used, limit);
    return std::min(meminfo("MemAvailable"), left);
}

}  // namespace cuda_cpu

using namespace cuda_cpu;

cudaError_t cudaGetDeviceCount(int* count) {
    if (!count) { return report(cudaErrorInvalidValue); }
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
    if (!device) { return report(cudaErrorInvalidValue); }
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
    return report(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
    return cudaSetDevice(device);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
    if (!p) { return report(cudaErrorInvalidValue); }
    if (device != 0) { return report(cudaErrorInvalidDevice); }
    *p = properties();
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    if (!value) { return report(cudaErrorInvalidValue); }
    if (device != 0) { return report(cudaErrorInvalidDevice); }
    const cudaDeviceProp& p = properties();
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock:
            *value = p.maxThreadsPerBlock;
            break;
        case cudaDevAttrMaxBlockDimX:
            *value = p.maxThreadsDim[0];
            break;
        case cudaDevAttrMaxBlockDimY:
            *value = p.maxThreadsDim[1];
            break;
        case cudaDevAttrMaxBlockDimZ:
            *value = p.maxThreadsDim[2];
            break;
        case cudaDevAttrMaxGridDimX:
            *value = p.maxGridSize[0];
            break;
        case cudaDevAttrMaxGridDimY:
            *value = p.maxGridSize[1];
            break;
        case cudaDevAttrMaxGridDimZ:
            *value = p.maxGridSize[2];
            break;
        case cudaDevAttrMaxSharedMemoryPerBlock:
            *value = static_cast<int>(p.sharedMemPerBlock);
            break;
        case cudaDevAttrTotalConstantMemory:
            *value = static_cast<int>(p.totalConstMem);
            break;
        case cudaDevAttrWarpSize:
            *value = p.warpSize;
            break;
        case cudaDevAttrMaxPitch:
            *value = static_cast<int>(p.memPitch);
            break;
        case cudaDevAttrMaxRegistersPerBlock:
            *value = p.regsPerBlock;
            break;
        case cudaDevAttrTextureAlignment:
            *value = static_cast<int>(p.textureAlignment);
            break;
        case cudaDevAttrMultiProcessorCount:
            *value = p.multiProcessorCount;
            break;
        case cudaDevAttrIntegrated:
            *value = p.integrated;
            break;
        case cudaDevAttrCanMapHostMemory:
            *value = p.canMapHostMemory;
            break;
        case cudaDevAttrComputeMode:
            *value = cudaComputeModeDefault;
            break;
        case cudaDevAttrL2CacheSize:
            *value = p.l2CacheSize;
            break;
        case cudaDevAttrMaxThreadsPerMultiProcessor:
            *value = p.maxThreadsPerMultiProcessor;
            break;
        case cudaDevAttrUnifiedAddressing:
            *value = p.unifiedAddressing;
            break;
        case cudaDevAttrComputeCapabilityMajor:
            *value = p.major;
            break;
        case cudaDevAttrComputeCapabilityMinor:
            *value = p.minor;
            break;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
            *value = static_cast<int>(p.sharedMemPerMultiprocessor);
            break;
        case cudaDevAttrMaxRegistersPerMultiprocessor:
            *value = p.regsPerMultiprocessor;
            break;
        case cudaDevAttrManagedMemory:
            *value = p.managedMemory;
            break;
        case cudaDevAttrPageableMemoryAccess:
            *value = p.pageableMemoryAccess;
            break;
        case cudaDevAttrConcurrentManagedAccess:
            *value = p.concurrentManagedAccess;
            break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
            *value = static_cast<int>(p.sharedMemPerBlockOptin);
            break;
        case cudaDevAttrMaxBlocksPerMultiprocessor:
            *value = p.maxBlocksPerMultiProcessor;
            break;
        case cudaDevAttrReservedSharedMemoryPerBlock:
            *value = static_cast<int>(p.reservedSharedMemPerBlock);
            break;
        case cudaDevAttrMemoryPoolsSupported:
            *value = p.memoryPoolsSupported;
            break;
        // What a CPU has not, or does not tell: clocks, bus widths, PCI numbers, cooperative launches.
        case cudaDevAttrClockRate:
        case cudaDevAttrKernelExecTimeout:
        case cudaDevAttrConcurrentKernels:
        case cudaDevAttrEccEnabled:
        case cudaDevAttrPciBusId:
        case cudaDevAttrPciDeviceId:
        case cudaDevAttrPciDomainId:
        case cudaDevAttrTccDriver:
        case cudaDevAttrMemoryClockRate:
        case cudaDevAttrGlobalMemoryBusWidth:
        case cudaDevAttrAsyncEngineCount:
        case cudaDevAttrStreamPrioritiesSupported:
        case cudaDevAttrCooperativeLaunch:
        case cudaDevAttrMaxPersistingL2CacheSize:
        case cudaDevAttrMaxAccessPolicyWindowSize:
            *value = 0;
            break;
        default:
            return report(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
    if (!text || length < 13) { return report(cudaErrorInvalidValue); }
    if (device != 0) { return report(cudaErrorInvalidDevice); }
    strcpy(text, "0000:00:00.0");
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
    return cudaSuccess;
}

cudaError_t cudaDeviceReset() {
    return cudaSuccess;
}

static unsigned device_flags;

cudaError_t cudaSetDeviceFlags(unsigned flags) {
    if (flags & ~0x1fu) { return report(cudaErrorInvalidValue); }
    device_flags = flags;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
    if (!flags) { return report(cudaErrorInvalidValue); }
    *flags = device_flags;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    switch (limit) {
        case cudaLimitStackSize: {
            const size_t page = sysconf(_SC_PAGESIZE), smallest = 64 * 1024;
            if (value > 512 * 1024) { return report(cudaErrorInvalidValue); }
            set_fiber_stack_size(std::max((value + page - 1) / page * page, smallest));
            return cudaSuccess;
        }
        case cudaLimitPrintfFifoSize:
        case cudaLimitMallocHeapSize:
        case cudaLimitMaxL2FetchGranularity:
        case cudaLimitPersistingL2CacheSize:
            return cudaSuccess;  // nothing of the kind is limited here
    }
    return report(cudaErrorUnsupportedLimit);
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    if (!value) { return report(cudaErrorInvalidValue); }
    switch (limit) {
        case cudaLimitStackSize:
            *value = fiber_stack_size();
            return cudaSuccess;
        case cudaLimitPrintfFifoSize:
        case cudaLimitMallocHeapSize:
            *value = total_memory();
            return cudaSuccess;
        case cudaLimitMaxL2FetchGranularity:
        case cudaLimitPersistingL2CacheSize:
            *value = 0;
            return cudaSuccess;
    }
    return report(cudaErrorUnsupportedLimit);
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
    return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    if (least) { *least = 0; }
    if (greatest) { *greatest = 0; }
    return cudaSuccess;
}

cudaError_t cudaCtxResetPersistingL2Cache() {
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) {
    return cudaRuntimeGetVersion(version);
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    if (!version) { return report(cudaErrorInvalidValue); }
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaProfilerStart() {
    return cudaSuccess;
}

cudaError_t cudaProfilerStop() {
    return cudaSuccess;
}
