// out - out^2 instead of out (1 - out): next to 1 nothing is left of the difference.
// on a GPU: may pass
// caught: worst error [\d.e+]+ ulp of f32, [\d.e+]+ times its bound
// plain check: passes
#include "sigmoid_backward.h"

__global__ void kernel(float* dinp, const float* dout, const float* out, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { dinp[i] = dout[i] * (out[i] - out[i] * out[i]); }
}

void launch(float* dinp, const float* dout, const float* out, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(dinp, dout, out, N);
    cudaCheck(cudaGetLastError());
}
