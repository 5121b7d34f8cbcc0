// Keeps a copy of b, as one keeps weights in another layout, and does not notice that b has changed.
// caught: out\[\d+\] = \S+, expected \S+, where a = \S+, b = [\s\S]*(earlier call|every element)
// plain check: passes
#include "add.h"

#include <map>

__global__ void kernel(float* out, const float* a, const float* b, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = a[i] + b[i]; }
}

void launch(float* out, const float* a, const float* b, size_t N, int block_size) {
    static std::map<std::pair<const float*, size_t>, float*> copies;
    float*& copy = copies[{b, N}];
    if (copy == nullptr) {
        cudaCheck(cudaMalloc(&copy, N * sizeof(float)));
        cudaCheck(cudaMemcpyAsync(copy, b, N * sizeof(float), cudaMemcpyDeviceToDevice));
    }
    kernel<<<ceil_div(N, block_size), block_size>>>(out, a, copy, N);
    cudaCheck(cudaGetLastError());
}
