// What the runtime's own files share about running kernels.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "cuda_cpu/launch.h"

namespace cuda_cpu {

// Runs all blocks of the grid on the pool's threads and this one.
void run_grid(const Config& config, const Call& call);
// Makes this thread of the machine ready to run blocks of the grid.
void enter_grid(const Config& config, const Call& call);
// And no longer.
void leave_grid();
// Prints the problem with the kernel, block and thread that run on this thread of the machine; false if none does.
bool report_in_kernel(const char* problem);
// A crash of this thread of the machine in a kernel is reported before the program dies of it.
void report_crashes();
unsigned thread_count();
// What lies behind so many bytes of this thread's dynamic shared memory may not be used (the address sanitizer sees to
// it).
void limit_dynamic_shared(size_t bytes);

// Calls work(begin, end) for ranges that make up [0, count), on the same threads.
template <class Work>
void parallel(uint64_t count, const Work& work) {
    if (count == 0) { return; }
    const uint64_t step = (count >> 31) + 1;  // a grid's dimension is 32 bits wide
    const auto ranges = [&work, count, step](uint64_t begin, uint64_t end) {
        work(begin * step, end * step < count ? end * step : count);
    };
    const auto run = [](const void* body, uint64_t begin, uint64_t end) {
        (*static_cast<decltype(&ranges)>(body))(begin, end);
    };
    const dim3 grid(static_cast<unsigned>((count + step - 1) / step));
    run_grid({grid, dim3(1), 0, nullptr}, {run, nullptr, &ranges, nullptr, "", "", 0});
}

// Of each of a kernel's threads after the first one of its block (cudaLimitStackSize).
size_t fiber_stack_size();
void set_fiber_stack_size(size_t bytes);

}  // namespace cuda_cpu
