// Inputs that are all negative for a function that is 0 there: a kernel that only writes zeros would do. The problem is
// refused, and not the kernel.
// status: 2
// caught: too little variety: 100 % of out is 0
// plain check: passes
#include "common.h"

void relu_cpu(double* out, const double* inp, size_t N) {
    parallel_for(N, [=](size_t i) { out[i] = inp[i] > 0 ? inp[i] : 0; });
}

__global__ void kernel(float* out, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = 0; }
}

void launch(float* out, const float*, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, N);
    cudaCheck(cudaGetLastError());
}

void define_problem(Problem& p) {
    p.dtypes<float>([&](auto) {
        size_t N = p.dim("N", 1 << 20);
        auto inp = p.input<float>("inp", N, uniform(-10, -5));
        auto out = p.output<float>("out", N);
        p.reference(relu_cpu, out, inp, N);
        p.version(1, "with a bug", launch, out, inp, N);
    });
}
