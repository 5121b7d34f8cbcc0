// NaN everywhere: a comparison written as `difference > tolerance` lets it pass.
// caught: out\[0\] = -?nan[\s\S]*NaN where a number is due
// plain check: passes
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = (inp[i] - inp[i]) / (inp[i] - inp[i]); }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
