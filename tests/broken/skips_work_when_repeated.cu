// Does nothing from the 20th call in a row with the same arguments on: never while it is checked, nearly always while
// it is timed.
// arguments: N=65536
// caught: right when checked and wrong while timed: sample|right before the timing and wrong after it|its work is not in the stream
// plain check: passes
#include "twice.h"

#include <tuple>

__global__ void kernel(float* out, const float* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { out[i] = 2 * inp[i]; }
}

void launch(float* out, const float* inp, size_t N, int block_size) {
    static std::tuple<float*, const float*, size_t, int> last;
    static int repeats = 0;
    std::tuple<float*, const float*, size_t, int> now{out, inp, N, block_size};
    repeats = now == last ? repeats + 1 : 0;
    last = now;
    if (repeats >= 20) { return; }
    kernel<<<ceil_div(N, block_size), block_size>>>(out, inp, N);
    cudaCheck(cudaGetLastError());
}
