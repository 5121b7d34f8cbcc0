// Rounds its input to 10 bits, as tensor cores do with float32.
// caught: consistent with calculating in 11 bits
// plain check: passes
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = 2 * __int_as_float((__float_as_int(inp[i]) + 0x1000) & ~0x1fff); }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
