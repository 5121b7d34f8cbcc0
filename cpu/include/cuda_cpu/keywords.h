// The words that CUDA adds to C++. The rewriter sees to __shared__ and __noinline__, which no macro can do.
#pragma once

#define CUDA_ON_CPU 1
#define CUDART_VERSION 13000

#ifdef __CUDA__  // clang reads the file as CUDA, for an editor: it wants its own attributes
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#if !__has_feature(cuda_noinline_keyword)
#define __noinline__  // libstdc++ writes __attribute__((__noinline__)), which leaves no other choice
#endif
#else
#define __host__
#define __device__
#define __global__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif

#define __grid_constant__
#define __forceinline__ inline  // always_inline breaks kernels as template arguments where nothing else is inlined
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __cluster_dims__(...) __cuda_cpu_has_no_clusters__
#ifndef __restrict__
#define __restrict__ __restrict
#endif
#ifndef CUDARTAPI
#define CUDARTAPI
#define CUDART_CB
#endif
#ifndef __clang__
#define __builtin_assume(condition) ((void)0)
#endif
