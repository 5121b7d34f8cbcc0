// The baseline, a library's call that takes no block size, leaves out the last N % 4 elements: it is checked like any
// other version.
// caught: WRONG  version 0[\s\S]*never written[\s\S]*WRONG: 0
// plain check: passes
#include "common.h"

void twice_cpu(double* out, const double* inp, size_t N) {
    parallel_for(N, [=](size_t i) { out[i] = 2 * inp[i]; });
}

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = 2 * inp[i]; }
}

void library(float* out, const float* inp, size_t N) {
    if (N < 4) { return; }
    kernel<<<ceil_div(N, 256), 256>>>(out, inp, N / 4 * 4);
    cudaCheck(cudaGetLastError());
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
        p.reference(twice_cpu, out, inp, N);
        p.version(0, "a library's call", library, out, inp, N);
        p.version(1, "without a bug", launch, out, inp, N);
    });
}
