// Takes the larger of its work space and 0, which also hides a NaN there, and adds it to the result.
// caught: the result depends on what was in work before
// plain check: passes
#include "twice_with_scratch.h"

__global__ void kernel(float* out, const float* inp, float* work, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = 2 * inp[i] + fmaxf(work[i], 0.0f); }
}

void launch(float* out, const float* inp, float* work, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, work, N);
    cudaCheck(cudaGetLastError());
}
