// mean(x^2) - mean(x)^2: the difference of two large numbers if the values lie around 10000.
// caught: values around 10000\n[\s\S]*worst error
// plain check: passes
#include "common.h"

void variance_cpu(double* out, const double* inp, size_t rows, size_t cols) {
    parallel_for(rows, [=](size_t r) {
        double mean = 0, squares = 0;
        for (size_t c = 0; c < cols; c++) { mean += inp[r * cols + c] / double(cols); }
        for (size_t c = 0; c < cols; c++) { squares += (inp[r * cols + c] - mean) * (inp[r * cols + c] - mean); }
        out[r] = squares / double(cols);
    });
}

// What the rounding errors are relative to: generous for values around 0, not for values around 10000.
void magnitude_cpu(double* out, const double* inp, size_t rows, size_t cols) {
    parallel_for(rows, [=](size_t r) {
        double mean = 0, squares = 0;
        for (size_t c = 0; c < cols; c++) { mean += inp[r * cols + c] / double(cols); }
        for (size_t c = 0; c < cols; c++) {
            double distance = std::fabs(inp[r * cols + c] - mean) + 1 + 1e-3 * std::fabs(mean);
            squares += distance * distance;
        }
        out[r] = squares / double(cols);
    });
}

__global__ void kernel(float* out, const float* inp, size_t rows, size_t cols) {
    size_t r = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (r >= rows) { return; }
    float sum = 0, squares = 0;
    for (size_t c = 0; c < cols; c++) {
        float x = inp[r * cols + c];
        sum += x;
        squares += x * x;
    }
    float mean = sum / (float)cols;
    out[r] = squares / (float)cols - mean * mean;
}

void launch(float* out, const float* inp, size_t rows, size_t cols, int block_size) {
    kernel<<<ceil_div(rows, block_size), block_size>>>(out, inp, rows, cols);
    cudaCheck(cudaGetLastError());
}

void define_problem(Problem& p) {
    p.dtypes<float>([&](auto) {
        size_t rows = p.dim("rows", 1024), cols = p.dim("cols", 1024);
        auto inp = p.input<float>("inp", {rows, cols}, uniform(-1, 1).domain(-1e6, 1e6));
        auto out = p.output<float>("out", rows);
        p.reference(variance_cpu, out, inp, rows, cols);
        p.sums(cols, magnitude_cpu, out, inp, rows, cols);
        p.version(1, "with a bug", launch, out, inp, rows, cols);
    });
}
