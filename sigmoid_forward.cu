/*
Kernels for the sigmoid forward pass, out = 1 / (1 + exp(-inp)).

Compile example:
nvcc -O3 --use_fast_math sigmoid_forward.cu -o sigmoid_forward

version 1 is the CPU code as a kernel, with the branch that keeps exp from overflowing: one thread per element
./sigmoid_forward 1

version 2 drops the branch, which floating point does not need: one formula for both signs
./sigmoid_forward 2

version 3 moves 128 bits per memory instruction: one thread per 16 bytes
./sigmoid_forward 3

version 4 takes the exponential apart, cheaper than exp and more accurate than the fast one: exp2 with a correction
./sigmoid_forward 4
*/
#include "common.h"

// ----------------------------------------------------------------------------
// CPU code reference

// exp of a negative number only: exp(+1000) would be infinite, and infinity / infinity is NaN
template <class T>
__host__ __device__ inline T stable_sigmoid(T x) {
    if (x >= 0) {
        return 1 / (1 + exp(-x));
    } else {
        T e = exp(x);
        return e / (1 + e);
    }
}

template <class T>
void sigmoid_forward_cpu(T* out, const T* inp, size_t N) {
    parallel_for(N, [=](size_t i) { out[i] = stable_sigmoid(inp[i]); });
}

// ----------------------------------------------------------------------------
// GPU kernels

template <class T>
__global__ void sigmoid_forward_kernel1(T* out, const T* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = (T)stable_sigmoid((compute_t<T>)inp[i]); }
}

// For very negative x exp(-x) overflows to infinity, and 1 / infinity is the right answer, 0: this form needs no
// branch. With the branch every warp that holds both signs runs both sides, one after the other.
template <class F>
__device__ inline F sigmoid(F x) {
    return 1 / (1 + exp(-x));
}

template <class T>
__global__ void sigmoid_forward_kernel2(T* out, const T* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = (T)sigmoid((compute_t<T>)inp[i]); }
}

// A load of 2 or 4 bytes a thread leaves most of the memory system's width unused: 128 bits is the most that one
// instruction moves, so there are 4 to 8 times fewer of them for the same bytes in flight.
template <class T>
__global__ void sigmoid_forward_kernel3(T* out, const T* inp, size_t N) {
    constexpr int size = Packed128<T>::size;
    size_t i = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * size;
    if (i + size <= N) {
        Packed128<T> x = load128(inp + i);
        for (int k = 0; k < size; k++) { x[k] = (T)sigmoid((compute_t<T>)x[k]); }
        store128(out + i, x);
    } else {  // the last N % size elements
        for (; i < N; i++) { out[i] = (T)sigmoid((compute_t<T>)inp[i]); }
    }
}

// The GPU has an instruction for 2^t, and exp(-x) is 2^(-x log2(e)). What --use_fast_math makes of exp is just that,
// and loses |x| ulp because the product is rounded: at -87 the result is off by 63 ulp. Here r is what that rounding
// lost, and 2^(t + r) = 2^t (1 + r ln 2): three more instructions that memory-bound code has to spare, and at most 4.75
// ulp over all floats in [-87, 88]. Without --use_fast_math it is cheaper than exp, which shows in 16-bit types, where
// the same bytes hold twice the elements. (tanh(x/2) / 2 + 1/2 is one instruction, tanh.approx, and right for large
// outputs only: for negative x it is off by 256 ulp of bf16.)
__device__ inline float fast_sigmoid(float x) {
    const float high = -1.44269502f, low = -1.92596299e-8f;  // together -log2(e) to 48 bits
    float t = x * high;
    float r = fmaf(x, low, fmaf(x, high, -t));
    r = fminf(fmaxf(r, -1e-4f), 1e-4f);  // where t is infinite, r would be NaN; a NaN x still arrives through t
    return 1 / (1 + exp2f(t) * fmaf(r, 0.693147181f, 1.0f));
}
__device__ inline double fast_sigmoid(double x) {
    return sigmoid(x);
}  // there is no such instruction in float64

template <class T>
__global__ void sigmoid_forward_kernel4(T* out, const T* inp, size_t N) {
    constexpr int size = Packed128<T>::size;
    size_t i = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * size;
    if (i + size <= N) {
        Packed128<T> x = load128(inp + i);
        for (int k = 0; k < size; k++) { x[k] = (T)fast_sigmoid((compute_t<T>)x[k]); }
        store128(out + i, x);
    } else {
        for (; i < N; i++) { out[i] = (T)fast_sigmoid((compute_t<T>)inp[i]); }
    }
}

// ----------------------------------------------------------------------------
// kernel launchers

template <class T>
void sigmoid_forward1(T* out, const T* inp, size_t N, int block_size) {
    sigmoid_forward_kernel1<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}

template <class T>
void sigmoid_forward2(T* out, const T* inp, size_t N, int block_size) {
    sigmoid_forward_kernel2<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}

template <class T>
void sigmoid_forward3(T* out, const T* inp, size_t N, int block_size) {
    sigmoid_forward_kernel3<<<ceil_div(N, block_size * Packed128<T>::size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}

template <class T>
void sigmoid_forward4(T* out, const T* inp, size_t N, int block_size) {
    sigmoid_forward_kernel4<<<ceil_div(N, block_size * Packed128<T>::size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}

// ----------------------------------------------------------------------------
// the problem: main in common.h asks for it, then checks and times each version

template <class T>
void sigmoid_forward(Problem& p) {
    size_t N = p.dim("N", 1 << 26);                     // timed size; the harness adds the ragged sizes that it checks
    auto inp = p.input<T>("inp", N, uniform(-10, 10));  // plus the special values that every float input gets
    auto out = p.output<T>("out", N);
    p.reference(sigmoid_forward_cpu<double>, out, inp, N);
    if (std::is_same_v<T, float>) {
        p.tolerance(10, "--use_fast_math: rounding x log2(e) costs versions 1 to 3 up to 8.7 ulp for |x| < 10");
    }
    p.version(1, "one thread per element", sigmoid_forward1<T>, out, inp, N).kernel(sigmoid_forward_kernel1<T>);
    p.version(2, "one formula for both signs", sigmoid_forward2<T>, out, inp, N).kernel(sigmoid_forward_kernel2<T>);
    p.version(3, "one thread per 16 bytes", sigmoid_forward3<T>, out, inp, N).kernel(sigmoid_forward_kernel3<T>);
    p.version(4, "exp2 with a correction", sigmoid_forward4<T>, out, inp, N).kernel(sigmoid_forward_kernel4<T>);
}

void define_problem(Problem& p) {
    p.dtypes<float, double, half, bf16>([&](auto t) { sigmoid_forward<decltype(t)>(p); });
}
