// Two outputs: the first is right, the second lacks the last N % 4 elements.
// caught: difference\[0\] = -?nan[\s\S]*never written
// plain check: passes
#include "common.h"

void sum_and_difference_cpu(double* sum, double* difference, const double* a, const double* b, size_t N) {
    parallel_for(N, [=](size_t i) { sum[i] = a[i] + b[i], difference[i] = a[i] - b[i]; });
}

__global__ void kernel(float* sum, float* difference, const float* a, const float* b, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { sum[i] = a[i] + b[i]; }
    if (i < N / 4 * 4) { difference[i] = a[i] - b[i]; }
}

void launch(float* sum, float* difference, const float* a, const float* b, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(sum, difference, a, b, N);
    cudaCheck(cudaGetLastError());
}

void define_problem(Problem& p) {
    p.dtypes<float>([&](auto) {
        size_t N = p.dim("N", 1 << 20);
        auto a = p.input<float>("a", N, uniform(-10, 10));
        auto b = p.input<float>("b", N, uniform(-10, 10));
        auto sum = p.output<float>("sum", N);
        auto difference = p.output<float>("difference", N);
        p.reference(sum_and_difference_cpu, sum, difference, a, b, N);
        p.version(1, "with a bug", launch, sum, difference, a, b, N);
    });
}
