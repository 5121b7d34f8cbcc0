// Starts twice block_size threads a block and does not ask whether the launch worked: with 1024 it did not, and what
// stands in the output is the result of the block size before.
// status: 3
// caught: at block size 1024[\s\S]*CUDA error cudaErrorInvalid(Value|Configuration) .* from its launch
// plain check: passes
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = 2 * inp[i]; }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, 2 * block_size), 2 * block_size>>>(out, inp, N);
}
