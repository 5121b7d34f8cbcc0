// Atomic operations on global and shared memory. All are sequentially consistent, which is more than CUDA promises.
#pragma once
#include <string.h>

namespace cuda_cpu {

// The integer that has a type's size: what the compiler's compare-and-swap works on.
template <int size>
struct Bits;
template <>
struct Bits<2> {
    using type = unsigned short;
};
template <>
struct Bits<4> {
    using type = unsigned;
};
template <>
struct Bits<8> {
    using type = unsigned long long;
};

template <class T>
using BitsOf = typename Bits<sizeof(T)>::type;

template <class To, class From>
inline To bit_cast(const From& from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    memcpy(static_cast<void*>(&to), &from, sizeof(To));
    return to;
}

// Replaces *address by change(*address), and returns what it was.
template <class T, class Change>
inline T atomic_change(T* address, Change change) {
    auto* bits = reinterpret_cast<BitsOf<T>*>(address);
    BitsOf<T> old = __atomic_load_n(bits, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(bits, &old, bit_cast<BitsOf<T>>(T(change(bit_cast<T>(old)))), true,
                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {}
    return bit_cast<T>(old);
}

}  // namespace cuda_cpu

#define CUDA_CPU_ATOMIC_INTEGER(T)                                                                        \
    inline T atomicAdd(T* address, T value) {                                                             \
        return __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST);                                      \
    }                                                                                                     \
    inline T atomicExch(T* address, T value) {                                                            \
        return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);                                     \
    }                                                                                                     \
    inline T atomicCAS(T* address, T compare, T value) {                                                  \
        __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return compare;                                                                                   \
    }                                                                                                     \
    inline T atomicAnd(T* address, T value) {                                                             \
        return __atomic_fetch_and(address, value, __ATOMIC_SEQ_CST);                                      \
    }                                                                                                     \
    inline T atomicOr(T* address, T value) {                                                              \
        return __atomic_fetch_or(address, value, __ATOMIC_SEQ_CST);                                       \
    }                                                                                                     \
    inline T atomicXor(T* address, T value) {                                                             \
        return __atomic_fetch_xor(address, value, __ATOMIC_SEQ_CST);                                      \
    }                                                                                                     \
    inline T atomicMin(T* address, T value) {                                                             \
        return cuda_cpu::atomic_change(address, [value](T old) { return old < value ? old : value; });    \
    }                                                                                                     \
    inline T atomicMax(T* address, T value) {                                                             \
        return cuda_cpu::atomic_change(address, [value](T old) { return old > value ? old : value; });    \
    }
CUDA_CPU_ATOMIC_INTEGER(int)
CUDA_CPU_ATOMIC_INTEGER(unsigned)
CUDA_CPU_ATOMIC_INTEGER(unsigned long long)
#undef CUDA_CPU_ATOMIC_INTEGER

inline long long atomicMin(long long* address, long long value) {
    return cuda_cpu::atomic_change(address, [value](long long old) { return old < value ? old : value; });
}
inline long long atomicMax(long long* address, long long value) {
    return cuda_cpu::atomic_change(address, [value](long long old) { return old > value ? old : value; });
}
inline unsigned short atomicCAS(unsigned short* address, unsigned short compare, unsigned short value) {
    __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return compare;
}

// By compare-and-swap; the 16-bit types' headers use it too.
#define CUDA_CPU_ATOMIC_ADD(T)                                                           \
    inline T atomicAdd(T* address, T value) {                                            \
        return cuda_cpu::atomic_change(address, [value](T old) { return old + value; }); \
    }
CUDA_CPU_ATOMIC_ADD(float)
CUDA_CPU_ATOMIC_ADD(double)

inline int atomicSub(int* address, int value) {
    return __atomic_fetch_sub(address, value, __ATOMIC_SEQ_CST);
}
inline unsigned atomicSub(unsigned* address, unsigned value) {
    return __atomic_fetch_sub(address, value, __ATOMIC_SEQ_CST);
}
inline float atomicExch(float* address, float value) {
    return cuda_cpu::atomic_change(address, [value](float) { return value; });
}
// Counts up to the limit, and from there on at 0 again.
inline unsigned atomicInc(unsigned* address, unsigned limit) {
    return cuda_cpu::atomic_change(address, [limit](unsigned old) { return old >= limit ? 0 : old + 1; });
}
inline unsigned atomicDec(unsigned* address, unsigned limit) {
    return cuda_cpu::atomic_change(address,
                                   [limit](unsigned old) { return old == 0 || old > limit ? limit : old - 1; });
}

// The scopes make no difference here.
#define CUDA_CPU_ATOMIC_SCOPES(name)                          \
    template <class T>                                        \
    inline T name##_block(T* address, decltype(T()) value) {  \
        return name(address, value);                          \
    }                                                         \
    template <class T>                                        \
    inline T name##_system(T* address, decltype(T()) value) { \
        return name(address, value);                          \
    }
CUDA_CPU_ATOMIC_SCOPES(atomicAdd)
CUDA_CPU_ATOMIC_SCOPES(atomicSub)
CUDA_CPU_ATOMIC_SCOPES(atomicExch)
CUDA_CPU_ATOMIC_SCOPES(atomicMin)
CUDA_CPU_ATOMIC_SCOPES(atomicMax)
CUDA_CPU_ATOMIC_SCOPES(atomicAnd)
CUDA_CPU_ATOMIC_SCOPES(atomicOr)
CUDA_CPU_ATOMIC_SCOPES(atomicXor)
#undef CUDA_CPU_ATOMIC_SCOPES
