// Scales its input and then scales it back, which does not give the same bits.
// caught: changes its input inp: \S*\[\d+\] was \S+ and is \S+
// plain check: passes
#include "twice.h"

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= N) { return; }
    float* own = const_cast<float*>(inp);
    own[i] *= 0.3f;
    out[i] = own[i] * (2 / 0.3f);
    own[i] /= 0.3f;
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
