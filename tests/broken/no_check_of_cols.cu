// Checks r only: behind the end of a row it goes on with the next, where it is right by chance, and behind the last row
// with what is not its own.
// caught: writes outside of out, 0 bytes behind its end
// plain check: passes
#include "square.h"

__global__ void kernel(float* out, const float* inp, size_t rows, size_t cols) {
    size_t r = blockIdx.y * (size_t)blockDim.y + threadIdx.y;
    size_t c = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (r < rows) { out[r * cols + c] = inp[r * cols + c] * inp[r * cols + c]; }
}

void launch(float* out, const float* inp, size_t rows, size_t cols, int block_size) {
    dim3 block(32, block_size / 32), grid(ceil_div(cols, block.x), ceil_div(rows, block.y));
    kernel<<<grid, block>>>(out, inp, rows, cols);
    cudaCheck(cudaGetLastError());
}
