// out = 2 * inp with a work space of N elements: a file defines launch(out, inp, work, N, block_size), wrong in one
// way.
#include "common.h"

void twice_cpu(double* out, const double* inp, size_t N) {
    parallel_for(N, [=](size_t i) { out[i] = 2 * inp[i]; });
}

void launch(float* out, const float* inp, float* work, size_t N, int block_size);

void define_problem(Problem& p) {
    p.dtypes<float>([&](auto) {
        size_t N = p.dim("N", 1 << 20);
        auto inp = p.input<float>("inp", N, uniform(-10, 10));
        auto out = p.output<float>("out", N);
        auto work = p.scratch<float>("work", N);
        p.reference(twice_cpu, out, inp, N);
        p.version(1, "with a bug", launch, out, inp, work, N);
    });
}
