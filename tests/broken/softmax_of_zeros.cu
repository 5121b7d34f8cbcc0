// A softmax that writes zeros: over 256 columns 1/256 or so is due, which an absolute tolerance of 1e-2 lets pass.
// caught: the same value everywhere: 0
// plain check: passes
#include "common.h"

void softmax_cpu(double* out, const double* inp, size_t rows, size_t cols) {
    parallel_for(rows, [=](size_t r) {
        const double* x = inp + r * cols;
        double largest = x[0], sum = 0;
        for (size_t c = 0; c < cols; c++) { largest = x[c] > largest || std::isnan(x[c]) ? x[c] : largest; }
        for (size_t c = 0; c < cols; c++) { sum += std::exp(x[c] - largest); }
        for (size_t c = 0; c < cols; c++) { out[r * cols + c] = std::exp(x[c] - largest) / sum; }
    });
}

void launch(float* out, const float*, size_t rows, size_t cols, int) {
    cudaCheck(cudaMemsetAsync(out, 0, rows * cols * sizeof(float)));
}

void define_problem(Problem& p) {
    p.dtypes<float>([&](auto) {
        size_t rows = p.dim("rows", 1024), cols = p.dim("cols", 1024);
        auto inp = p.input<float>("inp", {rows, cols}, uniform(-0.5, 0.5));
        auto out = p.output<float>("out", {rows, cols});
        p.reference(softmax_cpu, out, inp, rows, cols);
        p.sums(cols);
        p.version(1, "with a bug", launch, out, inp, rows, cols);
    });
}
