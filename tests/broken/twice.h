// The operation of most broken kernels, out = 2 * inp. A file defines launch(out, inp, N, block_size), wrong in one
// way, and includes this first; ELEMENT, if defined before, is the type of the elements instead of float. (No #pragma
// once, here and in the other headers: tests/broken/combine.py includes them once for each file, each in its own
// namespace.)
#include "common.h"

#ifndef ELEMENT
#define ELEMENT float
#endif
using Element = ELEMENT;
#undef ELEMENT

void twice_cpu(double* out, const double* inp, size_t N) {
    parallel_for(N, [=](size_t i) { out[i] = 2 * inp[i]; });
}

void launch(Element* out, const Element* inp, size_t N, int block_size);

void define_problem(Problem& p) {
    p.dtypes<Element>([&](auto) {
        size_t N = p.dim("N", 1 << 20);
        auto inp = p.input<Element>("inp", N, uniform(-10, 10));
        auto out = p.output<Element>("out", N);
        p.reference(twice_cpu, out, inp, N);
        p.version(1, "with a bug", launch, out, inp, N);
    });
}
