// Leaves the sum of the block in work[i of its last thread], which for the last block lies behind the end of the work
// space.
// caught: writes outside of work,
// plain check: passes
#include "twice_with_scratch.h"

__global__ void kernel(float* out, const float* inp, float* work, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (threadIdx.x == blockDim.x - 1) { work[i] = 1; }
    if (i < N) { out[i] = 2 * inp[i]; }
}

void launch(float* out, const float* inp, float* work, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, work, N);
    cudaCheck(cudaGetLastError());
}
