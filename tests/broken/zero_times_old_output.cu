// out = 2 inp + 0 out, as a matrix product with beta = 0 must not do it: 0 times NaN is NaN.
// caught: the result depends on what was in out before
// plain check: passes
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = 2 * inp[i] + 0 * out[i]; }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
