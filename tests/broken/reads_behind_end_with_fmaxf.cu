// Compares the last element with inp[N], and fmaxf hides a NaN there: right as long as what lies behind is small.
// caught: the result depends on what lies outside of inp: it reads past an end
// plain check: passes
#include "common.h"

// The size of an element or the next, whichever is larger.
void neighbour_cpu(double* out, const double* inp, size_t N) {
    parallel_for(N, [=](size_t i) { out[i] = std::fmax(std::fabs(inp[i]), i + 1 < N ? std::fabs(inp[i + 1]) : 0); });
}

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = fmaxf(fabsf(inp[i]), fabsf(inp[i + 1])); }
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
        p.reference(neighbour_cpu, out, inp, N);
        p.version(1, "with a bug", launch, out, inp, N);
    });
}
