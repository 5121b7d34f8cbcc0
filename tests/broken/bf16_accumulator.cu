// Adds up in bf16: every addition rounds to 8 bits.
// caught: worst error [\d.e+]+ ulp of f32
// plain check: passes
#include "row_mean.h"

__global__ void kernel(float* out, const float* inp, size_t rows, size_t cols) {
    size_t r = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (r >= rows) { return; }
    bf16 sum = __float2bfloat16(0.0f);
    for (size_t c = 0; c < cols; c++) { sum = __float2bfloat16(__bfloat162float(sum) + inp[r * cols + c]); }
    out[r] = __bfloat162float(sum) / (float)cols;
}

void launch(float* out, const float* inp, size_t rows, size_t cols, int block_size) {
    kernel<<<ceil_div(rows, block_size), block_size>>>(out, inp, rows, cols);
    cudaCheck(cudaGetLastError());
}
