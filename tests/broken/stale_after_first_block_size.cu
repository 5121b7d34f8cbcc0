// Works at block size 256 only and writes nothing at others, where the right result of the run before may still stand.
// caught: every element[\s\S]*never written[\s\S]*wrong at block sizes (?!.*\b256\b)
// plain check: passes
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N && blockDim.x == 256) { out[i] = 2 * inp[i]; }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
