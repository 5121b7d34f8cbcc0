// Takes the maximum with what is in the output, as if that had been set to zero; fmaxf hides it if it is NaN.
// caught: the result depends on what was in out before
// plain check: passes
#include "common.h"

void absolute_cpu(double* out, const double* inp, size_t N) {
    parallel_for(N, [=](size_t i) { out[i] = std::fabs(inp[i]); });
}

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = isnan(inp[i]) ? inp[i] : fmaxf(out[i], fabsf(inp[i])); }
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
        p.reference(absolute_cpu, out, inp, N);
        p.version(1, "with a bug", launch, out, inp, N);
    });
}
