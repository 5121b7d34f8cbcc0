// The operations among the 32 lanes of a warp.
#pragma once
#include <stdint.h>
#include <string.h>

#include "cuda_cpu/barrier.h"
#include "cuda_cpu/builtins.h"

namespace cuda_cpu {

// What the last lane of an operation computes for all: result[lane] for each lane in `lanes`, from value and operand.
struct WarpExchange {
    uint64_t value[32];
    uint64_t result[32];
    unsigned operand[32];
};
using Combine = void (*)(WarpExchange& warp, uint32_t lanes);

// Waits for the lanes in `mask` that have not returned, lets the last one combine, and returns this lane's result.
uint64_t warp_exchange(uint32_t mask, uint64_t value, unsigned operand, Combine combine, const Site& site);
// The lanes of this warp that wait here when no other lane of it can go on.
uint32_t active_lanes(const Site& site);
unsigned lane();

void combine_nothing(WarpExchange& warp, uint32_t lanes);
void combine_shuffle(WarpExchange& warp, uint32_t lanes);
void combine_ballot(WarpExchange& warp, uint32_t lanes);
void combine_match(WarpExchange& warp, uint32_t lanes);

template <class T>
T shuffle(unsigned mask, T value, unsigned source, const Site& site) {
    static_assert(sizeof(T) <= 8);
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof(T));
    bits = warp_exchange(mask, bits, source, combine_shuffle, site);
    memcpy(static_cast<void*>(&value), &bits, sizeof(T));
    return value;
}

// Combines two lanes' values at a time, in the order of the lanes.
template <class T, class Operation>
void combine_reduce(WarpExchange& warp, uint32_t lanes) {
    const unsigned first = __builtin_ctz(lanes);
    T total = static_cast<T>(warp.value[first]);
    for (uint32_t rest = lanes & (lanes - 1); rest; rest &= rest - 1) {
        total = Operation()(total, static_cast<T>(warp.value[__builtin_ctz(rest)]));
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1) { warp.result[__builtin_ctz(rest)] = total; }
}

#define CUDA_CPU_OPERATION(Name, expression) \
    struct Name {                            \
        template <class T>                   \
        T operator()(T a, T b) const {       \
            return expression;               \
        }                                    \
    };
CUDA_CPU_OPERATION(Add, static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)))
CUDA_CPU_OPERATION(Min, a < b ? a : b)
CUDA_CPU_OPERATION(Max, a < b ? b : a)
CUDA_CPU_OPERATION(And, a& b)
CUDA_CPU_OPERATION(Or, a | b)
CUDA_CPU_OPERATION(Xor, a ^ b)
#undef CUDA_CPU_OPERATION

}  // namespace cuda_cpu

inline void __syncwarp(unsigned mask = 0xffffffff, CUDA_CPU_SITE) {
    cuda_cpu::warp_exchange(mask, 0, 0, cuda_cpu::combine_nothing, {"__syncwarp", file, line});
}
inline unsigned __activemask(CUDA_CPU_SITE) {
    return cuda_cpu::active_lanes({"__activemask", file, line});
}

inline unsigned __ballot_sync(unsigned mask, int predicate, CUDA_CPU_SITE) {
    return static_cast<unsigned>(
        cuda_cpu::warp_exchange(mask, predicate != 0, 0, cuda_cpu::combine_ballot, {"__ballot_sync", file, line}));
}
inline int __any_sync(unsigned mask, int predicate, CUDA_CPU_SITE) {
    return cuda_cpu::warp_exchange(mask, predicate != 0, 0, cuda_cpu::combine_ballot, {"__any_sync", file, line}) != 0;
}
inline int __all_sync(unsigned mask, int predicate, CUDA_CPU_SITE) {
    return cuda_cpu::warp_exchange(mask, predicate == 0, 0, cuda_cpu::combine_ballot, {"__all_sync", file, line}) == 0;
}

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32, CUDA_CPU_SITE) {
    const unsigned first = cuda_cpu::lane() & ~(width - 1u);
    return cuda_cpu::shuffle(mask, value, first + (source & (width - 1u)), {"__shfl_sync", file, line});
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, CUDA_CPU_SITE) {
    const unsigned lane = cuda_cpu::lane(), in_segment = lane & (width - 1u);
    return cuda_cpu::shuffle(mask, value, delta <= in_segment ? lane - delta : lane, {"__shfl_up_sync", file, line});
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, CUDA_CPU_SITE) {
    const unsigned lane = cuda_cpu::lane(), left = (width - 1u) - (lane & (width - 1u));
    return cuda_cpu::shuffle(mask, value, delta <= left ? lane + delta : lane, {"__shfl_down_sync", file, line});
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32, CUDA_CPU_SITE) {
    const unsigned lane = cuda_cpu::lane(), last = lane | (width - 1u), source = lane ^ lane_mask;
    return cuda_cpu::shuffle(mask, value, source <= last ? source : lane, {"__shfl_xor_sync", file, line});
}

#define CUDA_CPU_REDUCE(name, T, Operation)                                                             \
    inline T name(unsigned mask, T value, CUDA_CPU_SITE) {                                              \
        return static_cast<T>(cuda_cpu::warp_exchange(mask, static_cast<uint64_t>(value), 0,            \
                                                      cuda_cpu::combine_reduce<T, cuda_cpu::Operation>, \
                                                      {#name, file, line}));                            \
    }
CUDA_CPU_REDUCE(__reduce_add_sync, unsigned, Add)
CUDA_CPU_REDUCE(__reduce_add_sync, int, Add)
CUDA_CPU_REDUCE(__reduce_min_sync, unsigned, Min)
CUDA_CPU_REDUCE(__reduce_min_sync, int, Min)
CUDA_CPU_REDUCE(__reduce_max_sync, unsigned, Max)
CUDA_CPU_REDUCE(__reduce_max_sync, int, Max)
CUDA_CPU_REDUCE(__reduce_and_sync, unsigned, And)
CUDA_CPU_REDUCE(__reduce_or_sync, unsigned, Or)
CUDA_CPU_REDUCE(__reduce_xor_sync, unsigned, Xor)
#undef CUDA_CPU_REDUCE

template <class T>
unsigned __match_any_sync(unsigned mask, T value, CUDA_CPU_SITE) {
    static_assert(sizeof(T) <= 8);
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof(T));
    return static_cast<unsigned>(
        cuda_cpu::warp_exchange(mask, bits, 0, cuda_cpu::combine_match, {"__match_any_sync", file, line}));
}
template <class T>
unsigned __match_all_sync(unsigned mask, T value, int* all_equal, CUDA_CPU_SITE) {
    static_assert(sizeof(T) <= 8);
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof(T));
    const unsigned lanes = static_cast<unsigned>(
        cuda_cpu::warp_exchange(mask, bits, 0, cuda_cpu::combine_match, {"__match_all_sync", file, line}));
    *all_equal = lanes == mask;
    return *all_equal ? mask : 0;
}
