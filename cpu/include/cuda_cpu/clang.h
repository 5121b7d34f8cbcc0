// For clang reading the file as CUDA, which an editor's language server does: what it needs to accept a launch.
#pragma once
#include <stddef.h>

struct dim3;
struct CUstream_st;
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, CUstream_st* stream = 0);
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, CUstream_st* stream = 0);
