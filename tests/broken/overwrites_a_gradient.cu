// Writes a gradient where it should add to what is there: right as long as that is zero.
// caught: out\[0\] = \S+, expected \S+, where inp = \S+, out = [\s\S]*every element
// plain check: passes
#include "common.h"

void add_twice_cpu(double* out, const double* inp, size_t N) {
    parallel_for(N, [=](size_t i) { out[i] += 2 * inp[i]; });
}

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = 2 * inp[i]; }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}

void define_problem(Problem& p) {
    p.dtypes<float>([&](auto) {
        size_t N = p.dim("N", 1 << 20);
        auto inp = p.input<float>("inp", N, uniform(-10, 10));
        auto out = p.inout<float>("out", N, uniform(-10, 10));
        p.reference(add_twice_cpu, out, inp, N);
        p.version(1, "with a bug", launch, out, inp, N);
    });
}
