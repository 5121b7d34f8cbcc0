// Scales each row to [0, 1] by its least and largest value, and forgets that these may be the same.
// caught: all-equal values[\s\S]*NaN where a number is due
// plain check: passes
#include "common.h"

// A row of one value is 0 everywhere; NaN and infinities make NaN of the whole row.
void scale_cpu(double* out, const double* inp, size_t rows, size_t cols) {
    parallel_for(rows, [=](size_t r) {
        double least = inp[r * cols], largest = least, sum = 0;
        for (size_t c = 0; c < cols; c++) {
            double x = inp[r * cols + c];
            least = std::min(least, x), largest = std::max(largest, x), sum += 0 * x;
        }
        for (size_t c = 0; c < cols; c++) {
            double x = inp[r * cols + c];
            out[r * cols + c] = (largest == least ? 0 : (x - least) / (largest - least)) + sum;
        }
    });
}

__global__ void kernel(float* out, const float* inp, size_t rows, size_t cols) {
    size_t r = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (r >= rows) { return; }
    float least = inp[r * cols], largest = least, sum = 0;
    for (size_t c = 0; c < cols; c++) {
        float x = inp[r * cols + c];
        least = fminf(least, x), largest = fmaxf(largest, x), sum += 0 * x;
    }
    float scale = cols == 1 ? 0 : 1 / (largest * 0.5f - least * 0.5f);  // half of it: the spread may be infinite
    for (size_t c = 0; c < cols; c++) {
        float x = inp[r * cols + c];
        out[r * cols + c] = (x * 0.5f - least * 0.5f) * scale + sum;
    }
}

void launch(float* out, const float* inp, size_t rows, size_t cols, int block_size) {
    kernel<<<ceil_div(rows, block_size), block_size>>>(out, inp, rows, cols);
    cudaCheck(cudaGetLastError());
}

void define_problem(Problem& p) {
    p.dtypes<float>([&](auto) {
        size_t rows = p.dim("rows", 1024), cols = p.dim("cols", 1024);
        auto inp = p.input<float>("inp", {rows, cols}, uniform(-10, 10));
        auto out = p.output<float>("out", {rows, cols});
        p.reference(scale_cpu, out, inp, rows, cols);
        p.version(1, "with a bug", launch, out, inp, rows, cols);
    });
}
