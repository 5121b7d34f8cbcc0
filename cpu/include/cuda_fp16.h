#pragma once
#include "cuda_runtime.h"
#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#endif
#include "cuda_cpu/half.h"
#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif
