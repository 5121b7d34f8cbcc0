// out = inp^2 of a rows x cols matrix, as in square_matrix.cu: a file defines launch(out, inp, rows, cols, block_size),
// wrong in one way.
#include "common.h"

void square_cpu(double* out, const double* inp, size_t rows, size_t cols) {
    parallel_for(rows * cols, [=](size_t i) { out[i] = inp[i] * inp[i]; });
}

void launch(float* out, const float* inp, size_t rows, size_t cols, int block_size);

void define_problem(Problem& p) {
    p.dtypes<float>([&](auto) {
        size_t rows = p.dim("rows", 1024), cols = p.dim("cols", 1024);
        auto inp = p.input<float>("inp", {rows, cols}, uniform(-10, 10));
        auto out = p.output<float>("out", {rows, cols});
        p.reference(square_cpu, out, inp, rows, cols);
        p.version(1, "with a bug", launch, out, inp, rows, cols);
    });
}
