// Claims to move 100 times the bytes of its operation, and so a rate that no memory reaches.
// arguments: N=2^26
// caught: IMPOSSIBLE
// on the CPU: skipped, its memory's peak is not known
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
        size_t N = p.dim("N", 1 << 26);
        auto inp = p.input<float>("inp", N, uniform(-10, 10));
        auto out = p.output<float>("out", N);
        p.reference(twice_cpu, out, inp, N);
        p.bytes(800.0 * double(N));
        p.version(1, "one thread per element", launch, out, inp, N);
    });
}
