// Stores its result shifted by one and the last one apart: the first thread writes before the start of the output.
// caught: writes outside of out, \d bytes before its start
// plain check: passes
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[(long long)i - 1] = i > 0 ? 2 * inp[i - 1] : 0; }
    if (i == N - 1) { out[i] = 2 * inp[i]; }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
