// fmaxf(NaN, x) is x: the clamp that should keep exp from overflowing makes a number of NaN.
// caught: special values[\s\S]*expected nan, where inp = nan
// plain check: passes
#include "sigmoid.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = 1 / (1 + expf(fmaxf(-inp[i], -87.0f))); }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
