// Clamps its input, which shows only with infinities and very large numbers.
// caught: special values[\s\S]*out\[\d+\] = -?2000000\b, expected
// plain check: passes
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = 2 * (inp[i] > 1e6f ? 1e6f : inp[i] < -1e6f ? -1e6f : inp[i]); }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
