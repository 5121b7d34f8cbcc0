// threadIdx, blockIdx, blockDim and gridDim: thread-local objects that the scheduler sets before a kernel's thread goes
// on. Objects, not macros: cudaLaunchConfig_t has members of these names, and a debugger can print them.
#pragma once
#include "cuda_cpu/vector_types.h"

extern "C" {
extern __thread uint3 threadIdx;
extern __thread uint3 blockIdx;
extern __thread dim3 blockDim;
extern __thread dim3 gridDim;
}

constexpr int warpSize = 32;
