// What cpu/nvcc includes before a .cu file: CUDA's C++ for a CPU.
#pragma once
#include "cuda_cpu/keywords.h"
#ifdef __CUDA__  // clang, for an editor: all that is read between begin and end may be called from kernels
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cuda_cpu/clang.h"
#pragma clang force_cuda_host_device begin
#endif
#include "cuda_cpu/api_templates.h"
#include "cuda_cpu/atomics.h"
#include "cuda_cpu/barrier.h"
#include "cuda_cpu/bits.h"
#include "cuda_cpu/cached.h"
#include "cuda_cpu/launch.h"
#include "cuda_cpu/math.h"
#include "cuda_cpu/misc.h"
#include "cuda_cpu/warp.h"
#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif
