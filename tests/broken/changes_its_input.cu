// Works in place and copies the result.
// caught: changes its input inp: \S*\[\d+\] was \S+ and is \S+
// plain check: fails
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= N) { return; }
    const_cast<float*>(inp)[i] *= 2;
    out[i] = inp[i];
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
