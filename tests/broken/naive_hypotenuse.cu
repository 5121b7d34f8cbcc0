// sqrt(a^2 + b^2) without care: a^2 + b^2 is kept in half, and infinite there if a or b is over 256.
// caught: out\[\d+\] = inf, expected \d+[\s\S]*infinite where a number is due
// plain check: passes
#include "common.h"

void hypotenuse_cpu(double* out, const double* a, const double* b, size_t N) {
    parallel_for(N, [=](size_t i) { out[i] = std::hypot(a[i], b[i]); });
}

__global__ void kernel(half* out, const half* a, const half* b, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) {
        half squares = __float2half(__half2float(a[i]) * __half2float(a[i]) + __half2float(b[i]) * __half2float(b[i]));
        out[i] = __float2half(sqrtf(__half2float(squares)));
    }
}

void launch(half* out, const half* a, const half* b, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, a, b, N);
    cudaCheck(cudaGetLastError());
}

void define_problem(Problem& p) {
    p.dtypes<half>([&](auto) {
        size_t N = p.dim("N", 1 << 20);
        auto a = p.input<half>("a", N, uniform(-10, 10));
        auto b = p.input<half>("b", N, uniform(-10, 10));
        auto out = p.output<half>("out", N);
        p.reference(hypotenuse_cpu, out, a, b, N);
        p.version(1, "with a bug", launch, out, a, b, N);
    });
}
