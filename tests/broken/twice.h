// The operation of the broken kernels, out = 2 * inp in float32. A file defines launch(out, inp, N, block_size), wrong
// in one way, says what the check must answer in a line "caught: <regular expression>", and includes this first.
#pragma once

#include "common.h"

template <class T>
void twice_cpu(T* out, const T* inp, size_t N) {
    parallel_for(N, [=](size_t i) { out[i] = 2 * inp[i]; });
}

void launch(float* out, const float* inp, size_t N, int block_size);

void define_problem(Problem& p) {
    p.dtypes<float>([&](auto) {
        size_t N = p.dim("N", 1 << 20);
        auto inp = p.input<float>("inp", N, uniform(-10, 10));
        auto out = p.output<float>("out", N);
        p.reference(twice_cpu<double>, out, inp, N);
        p.version(1, "with a bug", launch, out, inp, N);
    });
}
