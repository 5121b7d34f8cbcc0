// The stride of the loop is that of 256 threads a block, whatever the block size is.
// caught: never written
// plain check: passes
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    for (; i < N; i += gridDim.x * (size_t)256) { out[i] = 2 * inp[i]; }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<std::min(16, ceil_div(N, block_size)), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
