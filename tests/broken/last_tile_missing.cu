// A loop over tiles of 32 columns whose number is rounded down: the last cols % 32 are left out of the sum.
// caught: out\[\d+\] = 0, expected \S+[\s\S]*cols=\d+
// plain check: passes
#include "row_mean.h"

__global__ void kernel(float* out, const float* inp, size_t rows, size_t cols) {
    size_t r = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (r >= rows) { return; }
    float sum = 0;
    for (size_t tile = 0; tile < cols / 32; tile++) {
        for (int c = 0; c < 32; c++) { sum += inp[r * cols + tile * 32 + c]; }
    }
    out[r] = sum / (float)cols;
}

void launch(float* out, const float* inp, size_t rows, size_t cols, int block_size) {
    kernel<<<ceil_div(rows, block_size), block_size>>>(out, inp, rows, cols);
    cudaCheck(cudaGetLastError());
}
