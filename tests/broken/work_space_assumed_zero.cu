// Counts on zeros in its work space, and leaves zeros there: right from the second call on if it is right in the first.
// caught: NaN where a number is due|depends on what was in work before
// plain check: passes
#include "twice_with_scratch.h"

__global__ void kernel(float* out, const float* inp, float* work, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= N) { return; }
    work[i] += 2 * inp[i];
    out[i] = work[i];
    work[i] = 0;
}

void launch(float* out, const float* inp, float* work, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, work, N);
    cudaCheck(cudaGetLastError());
}
