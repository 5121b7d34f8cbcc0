// Asks for more threads than a block can have and does not ask whether the launch worked.
// status: 3
// caught: CUDA error cudaErrorInvalid(Value|Configuration) .* from its launch
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = 2 * inp[i]; }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, 64 * block_size), 64 * block_size>>>(out, inp, N);
}
