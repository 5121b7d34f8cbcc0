// Each block also writes the vector before it, with the values that are right there: the first block has none before
// it.
// caught: writes outside of out, \d+ bytes before its start
// plain check: passes
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = 2 * inp[i]; }
    if (i < N && threadIdx.x == 0) {
        for (long long k = (long long)i - 4; k < (long long)i; k++) { out[k] = k < 0 ? 0 : 2 * inp[k]; }
    }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
