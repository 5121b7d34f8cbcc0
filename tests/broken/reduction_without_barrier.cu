// A sum over the block in shared memory without the barrier between its steps.
// arguments: --check --block-size 128,256
// on a GPU: may pass
// caught: out\[\d+\] = \S+, expected \S+[\s\S]*every element
// plain check: fails
#include "row_mean.h"

__global__ void kernel(float* out, const float* inp, size_t, size_t cols) {
    __shared__ float sums[1024];
    size_t r = blockIdx.x;
    float sum = 0;
    for (size_t c = threadIdx.x; c < cols; c += blockDim.x) { sum += inp[r * cols + c]; }
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned half_of = blockDim.x / 2; half_of > 0; half_of /= 2) {
        if (threadIdx.x < half_of) { sums[threadIdx.x] += sums[threadIdx.x + half_of]; }
        // __syncthreads() is missing
    }
    if (threadIdx.x == 0) { out[r] = sums[0] / (float)cols; }
}

void launch(float* out, const float* inp, size_t rows, size_t cols, int block_size) {
    kernel<<<rows, block_size>>>(out, inp, rows, cols);
    cudaCheck(cudaGetLastError());
}
