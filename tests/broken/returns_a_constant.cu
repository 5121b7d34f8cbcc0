// Returns the middle of a narrow range of results.
// caught: the same value everywhere: 2\b
// plain check: passes
#include "common.h"

void twice_cpu(double* out, const double* inp, size_t N) {
    parallel_for(N, [=](size_t i) { out[i] = 2 * inp[i]; });
}

__global__ void kernel(float* out, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = 2; }
}

void launch(float* out, const float*, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, N);
    cudaCheck(cudaGetLastError());
}

void define_problem(Problem& p) {
    p.dtypes<float>([&](auto) {
        size_t N = p.dim("N", 1 << 20);
        auto inp = p.input<float>("inp", N, uniform(0.998, 1.002));
        auto out = p.output<float>("out", N);
        p.reference(twice_cpu, out, inp, N);
        p.version(1, "with a bug", launch, out, inp, N);
    });
}
