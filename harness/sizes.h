// The sizes at which a kernel is checked besides the timed one: those that kernels get wrong.
#pragma once

#include <algorithm>
#include <vector>

#include "problem.h"

namespace brrr {

// Sizes for one dimension alone: tiny, prime, around a warp, around a block of single elements and of 4- and 8-wide
// vectors, and over several blocks.
inline std::vector<size_t> ragged_sizes(size_t block) {
    return {1,
            2,
            3,
            7,
            31,
            33,
            block - 1,
            block,
            block + 1,
            4 * block - 1,
            4 * block + 1,
            8 * block - 1,
            8 * block + 5,
            16 * block - 1,
            32 * block + 3,
            1021,
            10007,
            100003};
}

// One size of a problem at which to check, and the block sizes for which it is of interest.
struct CheckedSize {
    Dims dims;
    std::vector<int> blocks;
};

// All sizes for these block sizes (0 stands for a baseline, which is checked at every size). With one dimension, those
// above; with several, each dimension in turn runs through the smaller of them while the others are small and odd.
inline std::vector<CheckedSize> checked_sizes(const Dims& timed, const std::vector<int>& blocks) {
    std::vector<CheckedSize> sizes;
    auto add = [&](const Dims& dims, int block) {
        auto same = [&](const CheckedSize& size) { return size.dims == dims; };
        auto found = std::find_if(sizes.begin(), sizes.end(), same);
        if (found == sizes.end()) { found = sizes.insert(sizes.end(), CheckedSize{dims, {}}); }
        if (!contains(found->blocks, block)) { found->blocks.push_back(block); }
    };
    auto all = [&](Dims dims, size_t each, int block) {
        for (Dim& dim : dims) { dim.size = each; }
        add(dims, block);
    };
    for (int block : blocks) {
        size_t b = block > 0 ? size_t(block) : 256;
        if (timed.size() == 1) {
            for (size_t n : ragged_sizes(b)) { all(timed, n, block); }
            continue;
        }
        for (size_t n : {1, 3, 17, 64, 97}) { all(timed, n, block); }
        for (size_t d = 0; d < timed.size(); d++) {
            for (size_t n : {size_t(1), size_t(2), size_t(15), size_t(33), b - 1, b + 1, 4 * b + 1, size_t(1021)}) {
                Dims dims = timed;
                for (Dim& dim : dims) { dim.size = 5; }
                dims[d].size = n;
                add(dims, block);
            }
        }
    }
    std::stable_sort(sizes.begin(), sizes.end(), [](const CheckedSize& a, const CheckedSize& b) {
        auto volume = [](const CheckedSize& size) {
            double product = 1;
            for (const Dim& dim : size.dims) { product *= double(dim.size); }
            return product;
        };
        return volume(a) < volume(b);
    });
    return sizes;
}

}  // namespace brrr
