// Calculates in float although its elements are double.
// caught: consistent with calculating in 24 bits, as f32 does
// plain check: passes
#define ELEMENT double
#include "twice.h"

__global__ void kernel(double* out, const double* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = 2 * (double)(float)inp[i]; }
}

void launch(double* out, const double* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
