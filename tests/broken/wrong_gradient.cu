// A backward pass that forgets a factor: its own reference forgets it too, so only the gradient check can tell.
// arguments: --gradcheck
// caught: the gradient is wrong at[\s\S]*dinp\[\d+\] = .*, central difference
// plain check: passes
#include "common.h"

void square_backward_cpu(double* dinp, const double* dout, const double* inp, size_t N) {
    parallel_for(N, [=](size_t i) { dinp[i] = dout[i] * inp[i]; });  // 2 * is missing
}

void square_cpu(double* out, const double* inp, size_t N) {
    parallel_for(N, [=](size_t i) { out[i] = inp[i] * inp[i]; });
}

__global__ void kernel(double* dinp, const double* dout, const double* inp, size_t N) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < N) { dinp[i] = dout[i] * inp[i]; }
}

void launch(double* dinp, const double* dout, const double* inp, size_t N, int block_size) {
    kernel<<<ceil_div(N, block_size), block_size>>>(dinp, dout, inp, N);
    cudaCheck(cudaGetLastError());
}

void define_problem(Problem& p) {
    p.dtypes<double>([&](auto) {
        size_t N = p.dim("N", 1 << 20);
        auto dout = p.input<double>("dout", N, uniform(-4, 4));
        auto inp = p.input<double>("inp", N, uniform(-10, 10));
        auto dinp = p.output<double>("dinp", N);
        auto out = p.point("out", N, uniform(0, 1));  // what the forward pass returns; the versions do not need it
        p.reference(square_backward_cpu, dinp, dout, inp, N);
        p.version(1, "forgets a factor", launch, dinp, dout, inp, N);
        p.gradcheck(square_cpu, out, inp, N).loss(dout, out).gradient(dinp, inp);
    });
}
