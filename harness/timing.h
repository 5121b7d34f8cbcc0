// Times a launch: the median over samples, each with a cold L2, between two events. docs/measuring.md gives the
// reasons.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "device.h"

namespace brrr {

struct Timing {
    double median_us = 0, min_us = 0;
    double noise = 0;  // half the distance between the quartiles, over the median
    int samples = 0;
};

// Reads the whole array; the result is of no interest, but the compiler must not know.
static __global__ void read_all(const int4* array, size_t n, int* never) {
    int seen = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += gridDim.x * (size_t)blockDim.x) {
        seen |= array[i].x;
    }
    if (seen == -1) { *never = seen; }
}

class Timer {
  public:
    explicit Timer(const Device& device, bool thorough)
        : flush_(kOnCpu ? size_t(1) << 20
                        : 4 * device.l2_bytes),  // a CPU time is no measurement: flush for the path's sake
          budget_s_((kOnCpu ? 0.02 : 0.1) * (thorough ? 5 : 1)),
          most_samples_((kOnCpu ? 25 : 100) * (thorough ? 5 : 1)) {
        flush_.fill(0);
        cudaCheck(cudaEventCreate(&start_));
        cudaCheck(cudaEventCreate(&stop_));
    }
    ~Timer() {
        cudaEventDestroy(start_);
        cudaEventDestroy(stop_);
    }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    // Samples until the budget is used, but at least 5 and at most most_samples_. launch() must not synchronize.
    // before(i) and after(i) are called around sample i, outside of the time: to look at what a timed launch has done.
    template <class Launch, class Before, class After>
    Timing time(Launch launch, Before before, After after) {
        constexpr int kWarmUp = 3, kFewest = 5;
        std::vector<double> samples;
        auto begin = std::chrono::steady_clock::now();
        auto elapsed_s = [&] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        };
        for (int i = 0; i < kWarmUp + most_samples_; i++) {
            if (i == kWarmUp) { begin = std::chrono::steady_clock::now(); }
            if (i >= kWarmUp + kFewest && elapsed_s() > budget_s_) { break; }
            if (i >= kWarmUp) { before(i - kWarmUp); }
            flush_l2();
            cudaCheck(cudaEventRecord(start_));
            launch();
            cudaCheck(cudaEventRecord(stop_));
            cudaCheck(cudaEventSynchronize(stop_));
            float ms = 0;
            cudaCheck(cudaEventElapsedTime(&ms, start_, stop_));
            if (i < kWarmUp) { continue; }
            samples.push_back(ms * 1e3);
            after(i - kWarmUp);
        }
        std::sort(samples.begin(), samples.end());
        size_t n = samples.size();
        double median = (samples[(n - 1) / 2] + samples[n / 2]) / 2;
        return {median, samples.front(), (samples[3 * n / 4] - samples[n / 4]) / 2 / median, int(n)};
    }

    // The limit to hold a kernel against: a device-to-device copy that reads and writes `bytes` together, at most
    // copy_bytes(bytes). In GB/s, like all rates: 10^9 bytes a second.
    double copy_gbps(double bytes) {
        DeviceMemory from(copy_bytes(bytes) / 2), to(copy_bytes(bytes) / 2);
        from.fill(1);
        auto copy = [&] { cudaCheck(cudaMemcpyAsync(to.get(), from.get(), to.bytes(), cudaMemcpyDefault)); };
        Timing timing = time(
            copy, [](int) {}, [](int) {});
        return double(2 * to.bytes()) / timing.median_us / 1e3;
    }
    static size_t copy_bytes(double bytes) { return std::max(size_t(32), size_t(std::min(bytes, 4e9))); }
    size_t flush_bytes() const { return flush_.bytes(); }

  private:
    // Leaves the L2 with lines that are neither the buffers' nor dirty: writes one half, twice the L2's size, and then
    // reads the other. After the write alone, the L2 would write its dirty lines back while the kernel is timed.
    void flush_l2() {
        size_t half = flush_.bytes() / 2;
        cudaCheck(cudaMemsetAsync(flush_.get(), 1, half));
        auto* second = reinterpret_cast<const int4*>(static_cast<char*>(flush_.get()) + half);
        read_all<<<1024, 256>>>(second, half / sizeof(int4), static_cast<int*>(flush_.get()));
        cudaCheck(cudaGetLastError());
    }

    DeviceMemory flush_;
    double budget_s_;
    int most_samples_;
    cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

}  // namespace brrr
