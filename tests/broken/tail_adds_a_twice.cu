// The scalar tail behind the 128-bit path adds a to itself.
// caught: out\[\d+\] = \S+, expected \S+, where [\s\S]*at N=100003[^\n]*(last|\[10000[012]\])
// plain check: passes
#include "add.h"

__global__ void kernel(float* out, const float* a, const float* b, size_t N) {
    size_t i = 4 * (blockIdx.x * (size_t)blockDim.x + threadIdx.x);
    if (i + 4 <= N) {
        Packed128<float> x = load128(a + i), y = load128(b + i);
        for (int k = 0; k < 4; k++) { x[k] += y[k]; }
        store128(out + i, x);
    } else {
        for (; i < N; i++) { out[i] = a[i] + a[i]; }
    }
}

void launch(float* out, const float* a, const float* b, size_t N, int block_size) {
    kernel<<<ceil_div(N, 4 * block_size), block_size>>>(out, a, b, N);
    cudaCheck(cudaGetLastError());
}
