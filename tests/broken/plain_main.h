// What most programs that check a kernel do, so that a broken kernel can be held against it: one power-of-two size, one
// fixed seed, outputs that start as zeros, block size 256 first and the others into the same buffers, and an absolute
// tolerance in a comparison that NaN passes. To build a file with this as its main:
//   nvcc -I. -include tests/broken/plain_main.h tests/broken/skips_tail.cu -o skips_tail
#pragma once

#ifndef BRRR_NO_MAIN
#define BRRR_NO_MAIN
#define PLAIN_MAIN
#endif
#include "common.h"

inline int plain_check(void (*define_problem)(Problem&)) {
    Problem defaults;
    define_problem(defaults);
    brrr::Dims dims = defaults.finish().dims;
    for (brrr::Dim& dim : dims) { dim.size = dims.size() == 1 ? 65536 : 256; }
    Problem problem(dims);
    define_problem(problem);
    brrr::Definition d = problem.finish();

    // Allocations lie in larger mapped pages that are zero at first, which is why small overruns go unnoticed.
    constexpr size_t slack = 8192;
    std::vector<std::vector<double>> host(d.buffers.size());
    std::vector<void*> host_pointers, device_pointers;
    std::vector<char> bits;
    auto is_input = [&](size_t b) { return d.buffers[b].role == brrr::Role::input; };
    uint32_t inputs = 0;
    for (size_t b = 0; b < d.buffers.size(); b++) {
        const brrr::Buffer& buffer = d.buffers[b];
        char* memory;
        cudaCheck(cudaMalloc(&memory, buffer.bytes() + 2 * slack));
        cudaCheck(cudaMemset(memory, 0, buffer.bytes() + 2 * slack));
        device_pointers.push_back(memory + slack);
        host[b].assign(buffer.elements(), 0);
        host_pointers.push_back(host[b].data());
        if (!is_input(b)) { continue; }
        bits.resize(buffer.bytes());
        brrr::fill_input(buffer, {uint32_t(b), inputs++, 1}, 0, brrr::Values::plain, bits.data(), host[b].data());
        cudaCheck(cudaMemcpy(device_pointers[b], bits.data(), buffer.bytes(), cudaMemcpyHostToDevice));
    }
    d.reference(host_pointers.data());

    for (const brrr::Version& version : d.versions) {
        std::vector<int> blocks = version.takes_block_size ? version.block_sizes : std::vector<int>{0};
        std::stable_partition(blocks.begin(), blocks.end(), [](int block) { return block == 256; });
        for (int block : blocks) {
            for (size_t b = 0; b < d.buffers.size(); b++) {  // gradients that a version adds to
                if (d.buffers[b].role != brrr::Role::inout) { continue; }
                cudaCheck(cudaMemset(device_pointers[b], 0, d.buffers[b].bytes()));
            }
            version.launch(device_pointers.data(), block);
            cudaCheck(cudaDeviceSynchronize());
            for (size_t b = 0; b < d.buffers.size(); b++) {
                const brrr::Buffer& buffer = d.buffers[b];
                if (!buffer.compared()) { continue; }
                bits.resize(buffer.bytes());
                cudaCheck(cudaMemcpy(bits.data(), device_pointers[b], buffer.bytes(), cudaMemcpyDeviceToHost));
                for (size_t i = 0; i < buffer.elements(); i++) {
                    double got = brrr::decode(buffer.dtype, bits.data(), i);
                    if (std::fabs(got - host[b][i]) > 1e-2) {
                        std::printf("plain check: fails at block size %d: %s[%zu] = %g, expected %g\n", block,
                                    buffer.name.c_str(), i, got, host[b][i]);
                        return 1;
                    }
                }
            }
        }
    }
    std::printf("plain check: passes\n");
    return 0;
}

#ifdef PLAIN_MAIN
void define_problem(Problem& p);
int main() {
    return plain_check(define_problem);
}
#endif
