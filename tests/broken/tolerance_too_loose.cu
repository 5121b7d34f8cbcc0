// A right kernel, and a problem with a tolerance that a kernel in half precision would pass: its ok is worth nothing.
// caught: WEAK[\s\S]*the bound of 1e\+06 ulp is too loose: the reference calculated in 11 bits passes it
// plain check: passes
#include "common.h"

void twice_cpu(double* out, const double* inp, size_t N) {
    parallel_for(N, [=](size_t i) { out[i] = 2 * inp[i]; });
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
        auto out = p.output<float>("out", N);
        p.reference(twice_cpu, out, inp, N);
        p.tolerance(1e6, "somebody wanted it to pass");
        p.version(1, "one thread per element", launch, out, inp, N);
    });
}
