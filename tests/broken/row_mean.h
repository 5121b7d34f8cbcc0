// The mean of each row of a matrix: a file defines launch(out, inp, rows, cols, block_size), wrong in one way.
#include "common.h"

void row_mean_cpu(double* out, const double* inp, size_t rows, size_t cols) {
    parallel_for(rows, [=](size_t r) {
        double sum = 0;
        for (size_t c = 0; c < cols; c++) { sum += inp[r * cols + c]; }
        out[r] = sum / double(cols);
    });
}

// The size of what is added up, which a sum's rounding errors are relative to.
void row_mean_magnitude_cpu(double* out, const double* inp, size_t rows, size_t cols) {
    parallel_for(rows, [=](size_t r) {
        double sum = 0;
        for (size_t c = 0; c < cols; c++) { sum += std::fabs(inp[r * cols + c]); }
        out[r] = sum / double(cols);
    });
}

void launch(float* out, const float* inp, size_t rows, size_t cols, int block_size);

void define_problem(Problem& p) {
    p.dtypes<float>([&](auto) {
        size_t rows = p.dim("rows", 1024), cols = p.dim("cols", 1024);
        auto inp = p.input<float>("inp", {rows, cols}, uniform(-1, 1).domain(-1e9, 1e9));  // sums that do not overflow
        auto out = p.output<float>("out", rows);
        p.reference(row_mean_cpu, out, inp, rows, cols);
        p.sums(cols, row_mean_magnitude_cpu, out, inp, rows, cols);
        p.version(1, "with a bug", launch, out, inp, rows, cols);
    });
}
