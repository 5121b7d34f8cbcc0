// Random numbers that are the same on every machine: a counter-based generator, so element i of an array depends on
// the seed, the array and i alone, and any part can be made again in any order on any number of cores.
#pragma once

#include <array>
#include <cstdint>

namespace brrr {

// Philox4x32-10. Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3 (SC 2011).
// The tests hold it against the known answers that its authors publish with Random123.
inline std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
    for (int round = 0; round < 10; round++) {
        uint64_t product0 = uint64_t(0xD2511F53u) * counter[0];
        uint64_t product1 = uint64_t(0xCD9E8D57u) * counter[2];
        counter = {uint32_t(product1 >> 32) ^ counter[1] ^ key[0], uint32_t(product1),
                   uint32_t(product0 >> 32) ^ counter[3] ^ key[1], uint32_t(product0)};
        key = {key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u};
    }
    return counter;
}

// Four random words for one index of one stream of one seed.
inline std::array<uint32_t, 4> random_words(uint64_t seed, uint32_t stream, uint64_t index) {
    return philox4x32({uint32_t(index), uint32_t(index >> 32), stream, 0}, {uint32_t(seed), uint32_t(seed >> 32)});
}

// Two words as a number in [0, 1) with 53 random bits.
inline double unit_interval(uint32_t high, uint32_t low) {
    return double((uint64_t(high) << 32 | low) >> 11) * 0x1p-53;
}

}  // namespace brrr
