// 128-bit loads from the start of each row, which is aligned only if cols is a multiple of 4.
// status: 3
// on the CPU: skipped, a CPU loads from any address
// caught: misaligned address
// plain check: passes
#include "square.h"

__global__ void kernel(float* out, const float* inp, size_t, size_t cols) {
    size_t r = blockIdx.x, c = 4 * (size_t)threadIdx.x;
    for (; c + 4 <= cols; c += 4 * (size_t)blockDim.x) {
        Packed128<float> x = load128(inp + r * cols + c);
        for (int k = 0; k < 4; k++) { x[k] *= x[k]; }
        store128(out + r * cols + c, x);
    }
    if (c < cols) {
        for (; c < cols; c++) { out[r * cols + c] = inp[r * cols + c] * inp[r * cols + c]; }
    }
}

void launch(float* out, const float* inp, size_t rows, size_t cols, int block_size) {
    kernel<<<rows, block_size>>>(out, inp, rows, cols);
    cudaCheck(cudaGetLastError());
}
