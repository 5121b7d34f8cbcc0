// Corrects the rounding of x log2(e), as version 4 of sigmoid_forward does, but without the clamp: where x is infinite
// the correction is NaN.
// caught: special values[\s\S]*NaN where a number is due
// plain check: passes
#include "sigmoid.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= N) { return; }
    const float high = -1.44269502f, low = -1.92596299e-8f;
    float t = inp[i] * high;
    float r = fmaf(inp[i], low, fmaf(inp[i], high, -t));
    out[i] = 1 / (1 + exp2f(t) * fmaf(r, 0.693147181f, 1.0f));
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
