// The 128-bit path without a scalar tail: the last N % 4 elements are not written.
// caught: 1 of them were never written[\s\S]*at N=100003[^\n]*: 3 of 100003, all in the last block of 32
// plain check: passes
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = 4 * (blockIdx.x * (size_t)blockDim.x + threadIdx.x);
    if (i + 4 <= N) {
        Packed128<float> x = load128(inp + i);
        for (int k = 0; k < 4; k++) { x[k] = 2 * x[k]; }
        store128(out + i, x);
    }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, 4 * block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
