// Small results are returned as 0: only 1e-4 off, and yet without a single right digit.
// caught: out\[\d+\] = 0, expected (0\.000|[\d.]+e-0)
// plain check: passes
#include "sigmoid.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = inp[i] < -9 ? 0 : 1 / (1 + expf(-inp[i])); }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
