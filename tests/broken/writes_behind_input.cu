// Pads its input with a zero, to have the last vector whole, in memory that is not its own.
// caught: writes outside of inp, 0 bytes behind its end
// plain check: passes
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = 2 * inp[i]; }
    if (i == N - 1) { const_cast<float*>(inp)[N] = 0; }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
