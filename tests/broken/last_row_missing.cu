// The number of blocks in y is rounded down (and not to nothing): a last row of blocks that is not full is never
// started.
// caught: never written[\s\S]*row|row[\s\S]*never written
// plain check: passes
#include "square.h"

__global__ void kernel(float* out, const float* inp, size_t rows, size_t cols) {
    size_t r = blockIdx.y * (size_t)blockDim.y + threadIdx.y;
    size_t c = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (r < rows && c < cols) { out[r * cols + c] = inp[r * cols + c] * inp[r * cols + c]; }
}

void launch(float* out, const float* inp, size_t rows, size_t cols, int block_size) {
    dim3 block(32, block_size / 32), grid(ceil_div(cols, block.x), std::max(1, (int)(rows / block.y)));
    kernel<<<grid, block>>>(out, inp, rows, cols);
    cudaCheck(cudaGetLastError());
}
