// Adds up from a place that a counter gives, which nobody resets: each call adds in another order, and no two give the
// same bits.
// caught: the same input gives different results: [\w ]+ differs at out\[\d+\]
// plain check: passes
#include "row_mean.h"

__device__ unsigned ticket;

__global__ void kernel(float* out, const float* inp, size_t rows, size_t cols) {
    size_t r = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (r >= rows) { return; }
    float sum = 0;
    for (size_t c = 0; c < cols; c++) { sum += inp[r * cols + (c + ticket) % cols]; }
    out[r] = sum / (float)cols;
    if (r == rows - 1) { ticket++; }
}

void launch(float* out, const float* inp, size_t rows, size_t cols, int block_size) {
    kernel<<<ceil_div(rows, block_size), block_size>>>(out, inp, rows, cols);
    cudaCheck(cudaGetLastError());
}
