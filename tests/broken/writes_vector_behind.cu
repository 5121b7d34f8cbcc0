// Rounds the tail up to a whole vector: writes up to three elements behind the end of the output.
// caught: writes outside of out, \d+ bytes behind its end
// plain check: passes
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = 4 * (blockIdx.x * (size_t)blockDim.x + threadIdx.x);
    if (i < N) {
        Packed128<float> x = load128(inp + i);
        for (int k = 0; k < 4; k++) { x[k] = 2 * x[k]; }
        store128(out + i, x);
    }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, 4 * block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
