// Threads that have no column leave their place in shared memory as it was, and it is added up all the same.
// on a GPU: may pass
// caught: the same input gives different results: [\w ]+ differs at out\[\d+\]
// plain check: passes
#include "row_mean.h"

__global__ void kernel(float* out, const float* inp, size_t, size_t cols) {
    __shared__ float sums[1024];
    size_t r = blockIdx.x;
    float sum = 0;
    for (size_t c = threadIdx.x; c < cols; c += blockDim.x) { sum += inp[r * cols + c]; }
    if (threadIdx.x < cols) { sums[threadIdx.x] = sum; }
    for (unsigned half_of = blockDim.x / 2; half_of > 0; half_of /= 2) {
        __syncthreads();
        if (threadIdx.x < half_of) { sums[threadIdx.x] += sums[threadIdx.x + half_of]; }
    }
    if (threadIdx.x == 0) { out[r] = sums[0] / (float)cols; }
}

void launch(float* out, const float* inp, size_t rows, size_t cols, int block_size) {
    kernel<<<rows, block_size>>>(out, inp, rows, cols);
    cudaCheck(cudaGetLastError());
}
