// exp(x) / (1 + exp(x)) is infinity / infinity for x > 88.
// caught: out\[\d+\] = -?nan, expected 1,[\s\S]*NaN where a number is due
// plain check: passes
#include "sigmoid.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = expf(inp[i]) / (1 + expf(inp[i])); }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
