// out = 1 / (1 + exp(-inp)), as in sigmoid_forward.cu: a file defines launch(out, inp, N, block_size), wrong in one
// way.
#include "common.h"

void sigmoid_cpu(double* out, const double* inp, size_t N) {
    parallel_for(N, [=](size_t i) { out[i] = 1 / (1 + std::exp(-inp[i])); });
}

void launch(float* out, const float* inp, size_t N, int block_size);

void define_problem(Problem& p) {
    p.dtypes<float>([&](auto) {
        size_t N = p.dim("N", 1 << 20);
        auto inp = p.input<float>("inp", N, uniform(-10, 10));
        auto out = p.output<float>("out", N);
        p.reference(sigmoid_cpu, out, inp, N);
        p.version(1, "with a bug", launch, out, inp, N);
    });
}
