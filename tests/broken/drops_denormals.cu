// Flushes denormals to zero, which float32 code may do under --use_fast_math and float64 code never does.
// caught: special values[\s\S]*out\[\d+\] = -?0, expected -?[\d.]+e-3
// plain check: passes
#define ELEMENT double
#include "twice.h"

__global__ void kernel(double* out, const double* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = fabs(inp[i]) < 2.2250738585072014e-308 ? 0 : 2 * inp[i]; }
}

void launch(double* out, const double* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
