// `i <= N` in a copy: what it writes behind the end of the output is what lies behind the end of the input.
// caught: writes outside of out, \d bytes behind its end
// plain check: passes
#include "common.h"

void copy_cpu(double* out, const double* inp, size_t N) {
    parallel_for(N, [=](size_t i) { out[i] = inp[i]; });
}

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i <= N) { out[i] = inp[i]; }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}

void define_problem(Problem& p) {
    p.dtypes<float>([&](auto) {
        size_t N = p.dim("N", 1 << 20);
        auto inp = p.input<float>("inp", N, uniform(-10, 10));
        auto out = p.output<float>("out", N);
        p.reference(copy_cpu, out, inp, N);
        p.version(1, "with a bug", launch, out, inp, N);
    });
}
