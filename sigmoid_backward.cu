/*
Kernels for the sigmoid backward pass, dinp = dout * out * (1 - out), where out is what the forward pass returned.

Compile example:
nvcc -O3 --use_fast_math sigmoid_backward.cu -o sigmoid_backward

version 1 is what a layer written in Python runs, in two launches: local derivative, then product
./sigmoid_backward 1

version 2 does both in one launch, and never moves the local derivative through memory: fused, one thread per element
./sigmoid_backward 2

version 3 moves 128 bits per memory instruction, several at once to have more in flight: fused, one thread per 4 x 16
bytes
./sigmoid_backward 3

version 4 has enough in flight with one, since a multiprocessor holds 2048 threads: fused, one thread per 16 bytes
./sigmoid_backward 4

The gradient check holds each version against central differences of the forward pass:
./sigmoid_backward --gradcheck
*/
#include "common.h"

// ----------------------------------------------------------------------------
// CPU code reference

template <class T>
void sigmoid_backward_cpu(T* dinp, const T* dout, const T* out, size_t N) {
    parallel_for(N, [=](size_t i) { dinp[i] = dout[i] * out[i] * (1 - out[i]); });
}

// the forward pass, for the gradient check
template <class T>
void sigmoid_forward_cpu(T* out, const T* inp, size_t N) {
    parallel_for(N, [=](size_t i) { out[i] = 1 / (1 + std::exp(-inp[i])); });
}

// ----------------------------------------------------------------------------
// GPU kernels

// The scratch array is float for half and bf16, so that the result is rounded once, as in the other versions.
template <class T>
__global__ void local_derivative_kernel1(compute_t<T>* local, const T* out, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) {
        compute_t<T> s = (compute_t<T>)out[i];
        local[i] = s * (1 - s);
    }
}

template <class T>
__global__ void product_kernel1(T* dinp, const T* dout, const compute_t<T>* local, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { dinp[i] = (T)((compute_t<T>)dout[i] * local[i]); }
}

template <class T>
__device__ inline T sigmoid_backward(T dout, T out) {
    compute_t<T> s = (compute_t<T>)out;
    return (T)((compute_t<T>)dout * (s * (1 - s)));
}

template <class T>
__global__ void sigmoid_backward_kernel2(T* dinp, const T* dout, const T* out, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { dinp[i] = sigmoid_backward(dout[i], out[i]); }
}

// 16 bytes are the most that one instruction loads. Here each thread asks for four vectors of both inputs before it
// uses the first, so that it waits for memory once and not four times. The block's vectors are consecutive.
template <class T>
__global__ void sigmoid_backward_kernel3(T* dinp, const T* dout, const T* out, size_t N) {
    constexpr int size = Packed128<T>::size, vectors = 4;
    size_t begin = (blockIdx.x * (size_t)blockDim.x * vectors + threadIdx.x) * size;
    size_t step = blockDim.x * (size_t)size;
    if (begin + (vectors - 1) * step + size <= N) {
        Packed128<T> d[vectors], s[vectors];
        for (int v = 0; v < vectors; v++) {
            d[v] = load128(dout + begin + v * step);
            s[v] = load128(out + begin + v * step);
        }
        for (int v = 0; v < vectors; v++) {
            for (int k = 0; k < size; k++) { d[v][k] = sigmoid_backward(d[v][k], s[v][k]); }
            store128(dinp + begin + v * step, d[v]);
        }
    } else {  // the last block
        for (int v = 0; v < vectors; v++) {
            for (size_t i = begin + v * step; i < begin + v * step + size && i < N; i++) {
                dinp[i] = sigmoid_backward(dout[i], out[i]);
            }
        }
    }
}

// But the other threads of the multiprocessor work while one waits: 2048 of them with two loads of 16 bytes are 64 KB
// in flight already. More a thread gains nothing in time, and costs registers and a more complicated tail.
template <class T>
__global__ void sigmoid_backward_kernel4(T* dinp, const T* dout, const T* out, size_t N) {
    constexpr int size = Packed128<T>::size;
    size_t i = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * size;
    if (i + size <= N) {
        Packed128<T> d = load128(dout + i), s = load128(out + i);
        for (int k = 0; k < size; k++) { d[k] = sigmoid_backward(d[k], s[k]); }
        store128(dinp + i, d);
    } else {  // the last N % size elements
        for (; i < N; i++) { dinp[i] = sigmoid_backward(dout[i], out[i]); }
    }
}

// ----------------------------------------------------------------------------
// kernel launchers

template <class T>
void sigmoid_backward1(T* dinp, const T* dout, const T* out, compute_t<T>* local, size_t N, int block_size) {
    int grid_size = ceil_div(N, block_size);
    local_derivative_kernel1<<<grid_size, block_size>>>(local, out, N);
    cudaCheck(cudaGetLastError());
    product_kernel1<<<grid_size, block_size>>>(dinp, dout, local, N);
    cudaCheck(cudaGetLastError());
}

template <class T>
void sigmoid_backward2(T* dinp, const T* dout, const T* out, size_t N, int block_size) {
    sigmoid_backward_kernel2<<<ceil_div(N, block_size), block_size>>>(dinp, dout, out, N);
    cudaCheck(cudaGetLastError());
}

template <class T>
void sigmoid_backward3(T* dinp, const T* dout, const T* out, size_t N, int block_size) {
    sigmoid_backward_kernel3<<<ceil_div(N, 4 * block_size * Packed128<T>::size), block_size>>>(dinp, dout, out, N);
    cudaCheck(cudaGetLastError());
}

template <class T>
void sigmoid_backward4(T* dinp, const T* dout, const T* out, size_t N, int block_size) {
    sigmoid_backward_kernel4<<<ceil_div(N, block_size * Packed128<T>::size), block_size>>>(dinp, dout, out, N);
    cudaCheck(cudaGetLastError());
}

// ----------------------------------------------------------------------------
// the problem: main in common.h asks for it, then checks and times each version

template <class T>
void sigmoid_backward(Problem& p) {
    size_t N = p.dim("N", 1 << 26);
    auto dout = p.input<T>("dout", N, uniform(-4, 4));
    auto out = p.input<T>("out", N, uniform(0, 1).domain(0, 1));  // a sigmoid's result
    auto dinp = p.output<T>("dinp", N);
    auto local = p.scratch<compute_t<T>>("local", N);
    p.reference(sigmoid_backward_cpu<double>, dinp, dout, out, N);
    p.version(1, "local derivative, then product", sigmoid_backward1<T>, dinp, dout, out, local, N)
        .kernel(local_derivative_kernel1<T>)
        .kernel(product_kernel1<T>);
    p.version(2, "fused, one thread per element", sigmoid_backward2<T>, dinp, dout, out, N)
        .kernel(sigmoid_backward_kernel2<T>);
    p.version(3, "fused, one thread per 4 x 16 bytes", sigmoid_backward3<T>, dinp, dout, out, N)
        .kernel(sigmoid_backward_kernel3<T>);
    p.version(4, "fused, one thread per 16 bytes", sigmoid_backward4<T>, dinp, dout, out, N)
        .kernel(sigmoid_backward_kernel4<T>);

    auto inp = p.point("inp", N, uniform(-10, 10));
    p.gradcheck(sigmoid_forward_cpu<double>, out, inp, N).loss(dout, out).gradient(dinp, inp);
}

void define_problem(Problem& p) {
    p.dtypes<float, double, half, bf16>([&](auto t) { sigmoid_backward<decltype(t)>(p); });
}
