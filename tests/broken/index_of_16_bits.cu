// The index wraps at 65536: what lies behind is not written, and the beginning again and again.
// caught: all from \[65536\] to the end[\s\S]*never written|at N=100003[^\n]*all from \[65536\] to the end
// plain check: passes
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    unsigned short index = (unsigned short)i;
    if (index < N) { out[index] = 2 * inp[index]; }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
