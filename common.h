// What a kernel file gets: #include "common.h" brings the names below and a main, which asks the file's define_problem
// what the operation is, and then checks and times each version. How is in harness/.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "harness/main.h"

using bf16 = __nv_bfloat16;

using brrr::parallel_for;  // parallel_for(n, body): body(i) for each i on all cores, for references
using brrr::Problem;       // what define_problem fills; harness/problem.h
using brrr::uniform;       // uniform(low, high): the values of an input

// cudaCheck(call): a failed CUDA call ends the run with file, line and the call's text; harness/error.h

// The type to calculate in: float for half and bf16, whose own arithmetic would round after every step.
template <class T>
using compute_t = std::conditional_t<std::is_same_v<T, double>, double, float>;

// ceil(a / b): the number of blocks of b elements that cover a elements.
inline int ceil_div(size_t a, size_t b) {
    return int((a + b - 1) / b);
}

// As many T as one memory instruction moves, 128 bits: 4 float, 8 half. The address must be a multiple of 16 bytes, as
// the start of every cudaMalloc is.
template <class T>
struct alignas(16) Packed128 {
    static constexpr int size = 16 / sizeof(T);
    T elements[size];

    __host__ __device__ T& operator[](int i) { return elements[i]; }
    __host__ __device__ const T& operator[](int i) const { return elements[i]; }
};

template <class T>
__device__ inline Packed128<T> load128(const T* address) {
    Packed128<T> packed;
    *reinterpret_cast<int4*>(&packed) = *reinterpret_cast<const int4*>(address);
    return packed;
}

template <class T>
__device__ inline void store128(T* address, const Packed128<T>& packed) {
    *reinterpret_cast<int4*>(address) = *reinterpret_cast<const int4*>(&packed);
}

// The same with the hint that nobody reads the line again soon (cs: cache streaming), so that it leaves the L2 first.
template <class T>
__device__ inline Packed128<T> load128cs(const T* address) {
    Packed128<T> packed;
    *reinterpret_cast<int4*>(&packed) = __ldcs(reinterpret_cast<const int4*>(address));
    return packed;
}

template <class T>
__device__ inline void store128cs(T* address, const Packed128<T>& packed) {
    __stcs(reinterpret_cast<int4*>(address), *reinterpret_cast<const int4*>(&packed));
}

void define_problem(Problem& p);

#ifndef BRRR_NO_MAIN
int main(int argc, char** argv) {
    return brrr::run_main(argc, argv, define_problem);
}
#endif
