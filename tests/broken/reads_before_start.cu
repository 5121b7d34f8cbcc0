// Takes inp[-1] for the zero that borders the input.
// caught: the first element[\s\S]*NaN where a number is due|reads past an end
// plain check: passes
#include "common.h"

// The difference of an element and the one before, with a zero before the first.
void neighbour_cpu(double* out, const double* inp, size_t N) {
    parallel_for(N, [=](size_t i) { out[i] = inp[i] - (i > 0 ? inp[i - 1] : 0); });
}

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = inp[i] - inp[(long long)i - 1]; }
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
