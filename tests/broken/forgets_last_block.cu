// The grid is rounded down (and not to nothing): a last block that is not full is never started.
// caught: never written[\s\S]*all in the last block of \d+
// plain check: passes
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = 2 * inp[i]; }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<std::max<size_t>(1, N / block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
