// Takes small halves for zero: in half they begin at 6e-5 already.
// caught: special values[\s\S]*out\[\d+\] = -?0, expected -?[\d.]+e-0[5678]
// plain check: passes
#define ELEMENT half
#include "twice.h"

__global__ void kernel(half* out, const half* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= N) { return; }
    float x = __half2float(inp[i]);
    out[i] = __float2half(fabsf(x) < 6.103515625e-5f ? 0 : 2 * x);
}

void launch(half* out, const half* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
