// Records its kernel into a graph and starts that in a stream of its own: the work ends some time later.
// on the CPU: skipped, there are no graphs
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
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    cudaCheck(cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal));
    kernel<<<ceil_div(N, block_size), block_size, 0, own>>>(out, inp, N);
    cudaCheck(cudaStreamEndCapture(own, &graph));
    cudaCheck(cudaGraphInstantiate(&instance, graph, 0));
    cudaCheck(cudaGraphLaunch(instance, own));
    cudaCheck(cudaGraphExecDestroy(instance));  // once its launch is over
    cudaCheck(cudaGraphDestroy(graph));
}
