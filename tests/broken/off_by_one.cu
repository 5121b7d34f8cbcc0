// `i < N - 1`: the very last element is missing.
// caught: at N=1048576: 1 of 1048576, the last element
// plain check: fails
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N - 1) { out[i] = 2 * inp[i]; }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
