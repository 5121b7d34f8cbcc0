// Takes its element from shared memory that another thread of the block wrote, without a barrier in between.
// on a GPU: may pass
// caught: the same input gives different results: [\w ]+ differs at out\[\d+\]
// plain check: fails
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    __shared__ float turned[1024];
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    unsigned opposite = blockDim.x - 1 - threadIdx.x;
    turned[opposite] = i < N ? 2 * inp[i] : 0;
    // __syncthreads() is missing
    float mine = turned[threadIdx.x];  // what the opposite thread put there
    size_t its = blockIdx.x * (size_t)blockDim.x + opposite;
    if (its < N) { out[its] = mine; }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
