// Gives half of the work to a second stream, which waits for the first, but the first does not wait for it.
// on the CPU: skipped, a launch is finished when it returns
// caught: its work is not in the stream that it was launched in
// plain check: passes
#include "twice.h"

__global__ void slow_kernel(float* out, const float* inp, size_t N) {
    for (long long begin = clock64(); clock64() - begin < 100000;) {}
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = 2 * inp[i]; }
}

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = 2 * inp[i]; }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    static cudaStream_t second = nullptr;
    static cudaEvent_t forked = nullptr;
    if (second == nullptr) {
        cudaCheck(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
        cudaCheck(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
    }
    cudaCheck(cudaEventRecord(forked));
    cudaCheck(cudaStreamWaitEvent(second, forked, 0));
    size_t first = N / 2;
    if (first > 0) { kernel<<<ceil_div(first, block_size), block_size>>>(out, inp, first); }
    slow_kernel<<<ceil_div(N - first, block_size), block_size, 0, second>>>(out + first, inp + first, N - first);
    cudaCheck(cudaGetLastError());
}
