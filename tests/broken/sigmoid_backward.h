// dinp = dout * out * (1 - out), as in sigmoid_backward.cu: a file defines launch(dinp, dout, out, N, block_size),
// wrong in one way; ELEMENT, if defined before, is the type of the elements instead of float.
#include "common.h"

#ifndef ELEMENT
#define ELEMENT float
#endif
using Element = ELEMENT;
#undef ELEMENT

void sigmoid_backward_cpu(double* dinp, const double* dout, const double* out, size_t N) {
    parallel_for(N, [=](size_t i) { dinp[i] = dout[i] * out[i] * (1 - out[i]); });
}

void launch(Element* dinp, const Element* dout, const Element* out, size_t N, int block_size);

void define_problem(Problem& p) {
    p.dtypes<Element>([&](auto) {
        size_t N = p.dim("N", 1 << 20);
        auto dout = p.input<Element>("dout", N, uniform(-4, 4));
        auto out = p.input<Element>("out", N, uniform(0, 1).domain(0, 1));
        auto dinp = p.output<Element>("dinp", N);
        p.reference(sigmoid_backward_cpu, dinp, dout, out, N);
        p.version(1, "with a bug", launch, dinp, dout, out, N);
    });
}
