// A right kernel that changes an array in place: y = a x + y, by p.inout.
#include "common.h"

template <class T>
void axpy_cpu(T* y, const T* x, size_t N) {
    parallel_for(N, [=](size_t i) { y[i] += 3 * x[i]; });
}

template <class T>
__global__ void axpy_kernel1(T* y, const T* x, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { y[i] = (T)((compute_t<T>)y[i] + 3 * (compute_t<T>)x[i]); }
}

template <class T>
void axpy1(T* y, const T* x, size_t N, int block_size) {
    axpy_kernel1<<<ceil_div(N, block_size), block_size>>>(y, x, N);
    cudaCheck(cudaGetLastError());
}

template <class T>
void axpy(Problem& p) {
    size_t N = p.dim("N", 1 << 20);
    auto x = p.input<T>("x", N, uniform(0, 4).domain(0, 1e5));  // of one sign: no digits cancel
    auto y = p.inout<T>("y", N, uniform(0, 4).domain(0, 1e5));
    p.reference(axpy_cpu<double>, y, x, N);
    p.version(1, "one thread per element", axpy1<T>, y, x, N).kernel(axpy_kernel1<T>);
}

void define_problem(Problem& p) {
    p.dtypes<float, double, half, bf16>([&](auto t) { axpy<decltype(t)>(p); });
}
