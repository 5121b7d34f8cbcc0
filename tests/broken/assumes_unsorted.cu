// The largest value of each row by a list of those that were larger than all before: random rows of 1000 have 7 of them
// on average, and never the 32 that the list has room for; sorted ones do.
// caught: sorted values[\s\S]*elements are wrong
// plain check: passes
#include "common.h"

void row_max_cpu(double* out, const double* inp, size_t rows, size_t cols) {
    parallel_for(rows, [=](size_t r) {
        out[r] = inp[r * cols];
        for (size_t c = 0; c < cols; c++) { out[r] = inp[r * cols + c] > out[r] ? inp[r * cols + c] : out[r]; }
    });
}

__global__ void kernel(float* out, const float* inp, size_t rows, size_t cols) {
    size_t r = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (r >= rows) { return; }
    float list[32];
    int length = 1;
    list[0] = inp[r * cols];
    for (size_t c = 0; c < cols; c++) {
        if (inp[r * cols + c] > list[length - 1] && length < 32) { list[length++] = inp[r * cols + c]; }
    }
    out[r] = list[length - 1];
}

void launch(float* out, const float* inp, size_t rows, size_t cols, int block_size) {
    kernel<<<ceil_div(rows, block_size), block_size>>>(out, inp, rows, cols);
    cudaCheck(cudaGetLastError());
}

void define_problem(Problem& p) {
    p.dtypes<float>([&](auto) {
        size_t rows = p.dim("rows", 1024), cols = p.dim("cols", 1024);
        auto inp = p.input<float>("inp", {rows, cols}, uniform(-10, 10));
        auto out = p.output<float>("out", rows);
        p.reference(row_max_cpu, out, inp, rows, cols);
        p.version(1, "with a bug", launch, out, inp, rows, cols);
    });
}
