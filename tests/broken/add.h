// out = a + b, as in vec_add.cu: a file defines launch(out, a, b, N, block_size), wrong in one way.
#include "common.h"

void add_cpu(double* out, const double* a, const double* b, size_t N) {
    parallel_for(N, [=](size_t i) { out[i] = a[i] + b[i]; });
}

void launch(float* out, const float* a, const float* b, size_t N, int block_size);

void define_problem(Problem& p) {
    p.dtypes<float>([&](auto) {
        size_t N = p.dim("N", 1 << 20);
        auto a = p.input<float>("a", N, uniform(-10, 10));
        auto b = p.input<float>("b", N, uniform(-10, 10));
        auto out = p.output<float>("out", N);
        p.reference(add_cpu, out, a, b, N);
        p.version(1, "with a bug", launch, out, a, b, N);
    });
}
