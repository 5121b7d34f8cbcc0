// Works in a stream of its own that does not wait for anything.
// on the CPU: skipped, a launch is finished when it returns
// caught: its work is not in the stream that it was launched in
// plain check: passes
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = 2 * inp[i]; }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    static cudaStream_t own = nullptr;
    if (own == nullptr) { cudaCheck(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking)); }
    kernel<<<ceil_div(N, block_size), block_size, 0, own>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
