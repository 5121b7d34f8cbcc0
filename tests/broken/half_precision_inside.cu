// Calculates in half: right to three digits, which a tolerance of 1e-2 lets pass.
// caught: consistent with calculating in 11 bits, as f16 does
// plain check: passes
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = 2 * __half2float(__float2half(inp[i])); }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
