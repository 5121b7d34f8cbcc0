// A limit that only the y and z dimensions of a grid have: what more blocks would do is left out.
// arguments: --check N=2100000 --block-size 32
// caught: from \[2097120\] to the end
// plain check: passes
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = 2 * inp[i]; }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<std::min(65535, ceil_div(N, block_size)), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
