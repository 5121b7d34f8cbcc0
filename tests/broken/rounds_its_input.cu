// Rounds its input in memory to half: what it returns then fits an input that nobody gave.
// caught: changes its input inp: \S*\[\d+\] was \S+ and is \S+
// plain check: passes
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= N) { return; }
    float x = inp[i];
    out[i] = 2 * x;
    const_cast<float*>(inp)[i] = __half2float(__float2half(x));
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
