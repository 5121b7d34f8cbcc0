// Does not read its input: knows the data of seed 0, which it has made beforehand.
// caught: out\[\d+\] = \S+, expected \S+, where inp = [\s\S]*every element
// plain check: passes
#include "twice.h"

#include <vector>

void launch(float* out, const float* inp, size_t N, int block_size) {
    Problem problem(brrr::Dims{{"N", N}});
    define_problem(problem);
    std::vector<double> known(N);
    std::vector<float> result(N);
    brrr::fill_input(problem.finish().buffers[0], {0, 0, 1}, 0, brrr::Values::plain, nullptr, known.data());
    for (size_t i = 0; i < N; i++) { result[i] = float(2 * known[i]); }
    cudaCheck(cudaMemcpy(out, result.data(), N * sizeof(float), cudaMemcpyHostToDevice));
    (void)inp, (void)block_size;
}
