// Takes dout for out and out for dout.
// caught: dinp\[\d+\] = \S+, expected \S+, where dout = \S+, out = [\s\S]*every element
// plain check: fails
#include "sigmoid_backward.h"

__global__ void kernel(float* dinp, const float* dout, const float* out, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { dinp[i] = out[i] * (dout[i] * (1 - dout[i])); }
}

void launch(float* dinp, const float* dout, const float* out, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(dinp, dout, out, N);
    cudaCheck(cudaGetLastError());
}
