// Takes rows for the length of a row: right for square matrices only.
// caught: never written
// plain check: passes
#include "square.h"

__global__ void kernel(float* out, const float* inp, size_t rows, size_t cols) {
    size_t r = blockIdx.y * (size_t)blockDim.y + threadIdx.y;
    size_t c = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    size_t i = r * rows + c;
    if (r < rows && c < cols && i < rows * cols) { out[i] = inp[i] * inp[i]; }
}

void launch(float* out, const float* inp, size_t rows, size_t cols, int block_size) {
    dim3 block(32, block_size / 32), grid(ceil_div(cols, block.x), ceil_div(rows, block.y));
    kernel<<<grid, block>>>(out, inp, rows, cols);
    cudaCheck(cudaGetLastError());
}
