// What this device allows: today's GPUs' limits, so that a launch which fails there fails here too.
#pragma once
#include <stddef.h>

namespace cuda_cpu {

constexpr unsigned max_threads_per_block = 1024;
constexpr unsigned max_threads_per_multiprocessor = 2048;
constexpr unsigned max_blocks_per_multiprocessor = 32;
constexpr unsigned max_block[3] = {1024, 1024, 64};
constexpr unsigned max_grid[3] = {2147483647, 65535, 65535};
constexpr size_t max_shared = 48 * 1024;         // without cudaFuncSetAttribute
constexpr size_t max_shared_optin = 227 * 1024;  // with it
constexpr size_t shared_per_multiprocessor = 228 * 1024;
constexpr size_t reserved_shared = 1024;  // of each block
constexpr int registers = 65536;

}  // namespace cuda_cpu
