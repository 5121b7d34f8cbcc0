// The device that runs the versions, its memory, and how much memory there is.
#pragma once

#include <cuda_runtime.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "error.h"

namespace brrr {

#ifdef CUDA_ON_CPU
constexpr bool kOnCpu = true;  // built with cpu/nvcc: kernels run on the host
#else
constexpr bool kOnCpu = false;
#endif

struct Device {
    int index = 0;
    std::string name;
    int arch = 0;  // compute capability, 90 for 9.0; 0 on a CPU
    int multiprocessors = 0;
    int max_threads_per_multiprocessor = 0;
    size_t l2_bytes = 0;
    size_t free_bytes = 0;
    int runtime = 0, driver = 0;  // 13000 for CUDA 13.0
    double peak_gbps = 0;         // what the memory's clock and width allow; 0 if unknown
    double peak_tflops = 0;       // what the tensor cores could do at most; 0 if unknown
};

// Makes the device current and asks for its facts. Throws MachineError where there is none.
inline Device open_device(int index) {
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0) {
        throw MachineError(std::string("no CUDA device here (") + cudaGetErrorString(error) +
                           "). To run on the CPU: make NVCC=cpu/nvcc");
    }
    if (index < 0 || index >= count) {
        throw MachineError("there is no device " + std::to_string(index) + "; this machine has " +
                           std::to_string(count) + " (from 0)");
    }
    cudaCheck(cudaSetDevice(index));
    cudaDeviceProp properties;
    cudaCheck(cudaGetDeviceProperties(&properties, index));
    Device device;
    device.index = index;
    device.name = properties.name;
    device.arch = properties.major * 10 + properties.minor;
    device.multiprocessors = properties.multiProcessorCount;
    device.max_threads_per_multiprocessor = properties.maxThreadsPerMultiProcessor;
    device.l2_bytes = size_t(properties.l2CacheSize);
    size_t total = 0;
    cudaCheck(cudaMemGetInfo(&device.free_bytes, &total));
    cudaCheck(cudaRuntimeGetVersion(&device.runtime));
    cudaCheck(cudaDriverGetVersion(&device.driver));
    int memory_khz = 0, bus_bits = 0, clock_khz = 0;
    cudaCheck(cudaDeviceGetAttribute(&memory_khz, cudaDevAttrMemoryClockRate, index));
    cudaCheck(cudaDeviceGetAttribute(&bus_bits, cudaDevAttrGlobalMemoryBusWidth, index));
    cudaCheck(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, index));
    device.peak_gbps = 2.0 * memory_khz * bus_bits / 8 / 1e6;  // two transfers a clock
    // 16-bit operations a clock and multiprocessor of the tensor cores, by the architectures' white papers.
    int per_clock = device.arch >= 100  ? 8192
                    : device.arch >= 90 ? 4096
                    : device.arch == 80 ? 2048
                    : device.arch > 0   ? 1024
                                        : 0;
    device.peak_tflops = double(per_clock) * device.multiprocessors * clock_khz / 1e9;
    return device;
}

// Bytes of memory that the host can still give, 0 if the system does not say.
inline size_t host_free_bytes() {
    size_t kilobytes = 0;
    if (FILE* file = std::fopen("/proc/meminfo", "r")) {
        char line[256];
        while (std::fgets(line, sizeof line, file)) {
            if (std::sscanf(line, "MemAvailable: %zu kB", &kilobytes) == 1) { break; }
        }
        std::fclose(file);
    }
    return kilobytes * 1024;
}

// Device memory that frees itself.
class DeviceMemory {
  public:
    explicit DeviceMemory(size_t bytes) : bytes_(bytes) {
        if (bytes > 0) { cudaCheck(cudaMalloc(&pointer_, bytes)); }
    }
    DeviceMemory(DeviceMemory&& other) noexcept : pointer_(other.pointer_), bytes_(other.bytes_) {
        other.pointer_ = nullptr;
    }
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    ~DeviceMemory() { cudaFree(pointer_); }

    void* get() const { return pointer_; }
    size_t bytes() const { return bytes_; }
    void fill(int byte) const { cudaCheck(cudaMemset(pointer_, byte, bytes_)); }
    void upload(const void* host) const { cudaCheck(cudaMemcpy(pointer_, host, bytes_, cudaMemcpyHostToDevice)); }
    void download(void* host) const { cudaCheck(cudaMemcpy(host, pointer_, bytes_, cudaMemcpyDeviceToHost)); }

  private:
    void* pointer_ = nullptr;
    size_t bytes_;
};

// What the runtime says of a kernel at one block size; registers 0 where it says nothing.
struct KernelFacts {
    int registers = 0;
    size_t shared_bytes = 0;
    int max_block = 1024;
    double occupancy = 0;  // resident threads over the multiprocessor's limit
};

inline KernelFacts kernel_facts(const void* kernel, int block, const Device& device) {
    KernelFacts facts;
    cudaFuncAttributes attributes;
    cudaCheck(cudaFuncGetAttributes(&attributes, kernel));
    facts.registers = attributes.numRegs;
    facts.shared_bytes = attributes.sharedSizeBytes;
    facts.max_block = attributes.maxThreadsPerBlock;
    if (block > 0 && block <= facts.max_block) {
        int blocks = 0;
        cudaCheck(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block, 0));
        facts.occupancy = double(blocks) * block / device.max_threads_per_multiprocessor;
    }
    return facts;
}

}  // namespace brrr
