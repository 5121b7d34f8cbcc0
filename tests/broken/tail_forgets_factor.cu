// The scalar tail behind the 128-bit path leaves out dout.
// caught: dinp\[\d+\] = \S+, expected \S+, where [\s\S]*at N=100003[^\n]*(last|\[10000[012]\])
// plain check: passes
#include "sigmoid_backward.h"

__global__ void kernel(float* dinp, const float* dout, const float* out, size_t N) {
    size_t i = 4 * (blockIdx.x * (size_t)blockDim.x + threadIdx.x);
    if (i + 4 <= N) {
        Packed128<float> d = load128(dout + i), s = load128(out + i);
        for (int k = 0; k < 4; k++) { d[k] *= s[k] * (1 - s[k]); }
        store128(dinp + i, d);
    } else {
        for (; i < N; i++) { dinp[i] = out[i] * (1 - out[i]); }
    }
}

void launch(float* dinp, const float* dout, const float* out, size_t N, int block_size) {
    kernel<<<ceil_div(N, 4 * block_size), block_size>>>(dinp, dout, out, N);
    cudaCheck(cudaGetLastError());
}
