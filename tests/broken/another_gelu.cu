// x sigmoid(1.702 x), which some call GELU, for the tanh form of GELU: within 1e-2 on [-1, 1].
// caught: worst error [\d.e+]+ ulp of f32, [\d.e+]+ times its bound
// plain check: passes
#include "common.h"

void gelu_cpu(double* out, const double* inp, size_t N) {
    parallel_for(N, [=](size_t i) {
        double x = inp[i], u = 0.7978845608028654 * (x + 0.044715 * x * x * x);
        out[i] = std::isinf(x) ? (x > 0 ? x : 0) : x / (1 + std::exp(-2 * u));  // 0.5 x (1 + tanh(u))
    });
}

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = inp[i] / (1 + expf(-1.702f * inp[i])); }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}

void define_problem(Problem& p) {
    p.dtypes<float>([&](auto) {
        size_t N = p.dim("N", 1 << 20);
        auto inp = p.input<float>("inp", N, uniform(-1, 1));
        auto out = p.output<float>("out", N);
        p.reference(gelu_cpu, out, inp, N);
        p.tolerance(16, "exp of a rounded argument");
        p.version(1, "with a bug", launch, out, inp, N);
    });
}
