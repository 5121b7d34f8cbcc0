// Works at block size 32 only and writes nothing at others, where the right result of the run before may still stand.
// caught: at block size 64[\s\S]*never written[\s\S]*wrong at block sizes 64, 128, 256, 512, 1024
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N && blockDim.x == 32) { out[i] = 2 * inp[i]; }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
