// int2, float4, dim3, ...: CUDA's vector types with its alignment, and make_*.
#pragma once

#include "cuda_cpu/keywords.h"

#define CUDA_CPU_VECTOR(name, T, align2, align4)        \
    struct name##1 {                                    \
        T x;                                            \
    };                                                  \
    struct __align__(align2) name##2 {                  \
        T x, y;                                         \
    };                                                  \
    struct name##3 {                                    \
        T x, y, z;                                      \
    };                                                  \
    struct __align__(align4) name##4 {                  \
        T x, y, z, w;                                   \
    };                                                  \
    inline name##1 make_##name##1(T x) {                \
        return {x};                                     \
    }                                                   \
    inline name##2 make_##name##2(T x, T y) {           \
        return {x, y};                                  \
    }                                                   \
    inline name##3 make_##name##3(T x, T y, T z) {      \
        return {x, y, z};                               \
    }                                                   \
    inline name##4 make_##name##4(T x, T y, T z, T w) { \
        return {x, y, z, w};                            \
    }

CUDA_CPU_VECTOR(char, signed char, 2, 4)
CUDA_CPU_VECTOR(uchar, unsigned char, 2, 4)
CUDA_CPU_VECTOR(short, short, 4, 8)
CUDA_CPU_VECTOR(ushort, unsigned short, 4, 8)
CUDA_CPU_VECTOR(int, int, 8, 16)
CUDA_CPU_VECTOR(uint, unsigned, 8, 16)
CUDA_CPU_VECTOR(long, long, 16, 16)
CUDA_CPU_VECTOR(ulong, unsigned long, 16, 16)
CUDA_CPU_VECTOR(longlong, long long, 16, 16)
CUDA_CPU_VECTOR(ulonglong, unsigned long long, 16, 16)
CUDA_CPU_VECTOR(float, float, 8, 16)
CUDA_CPU_VECTOR(double, double, 16, 16)
#undef CUDA_CPU_VECTOR

// CUDA 13's names for the two alignments that a vector of four 64-bit numbers can have.
#define CUDA_CPU_WIDE_VECTOR(name, T)                           \
    struct __align__(16) name##4_16a {                          \
        T x, y, z, w;                                           \
    };                                                          \
    struct __align__(32) name##4_32a {                          \
        T x, y, z, w;                                           \
    };                                                          \
    inline name##4_16a make_##name##4_16a(T x, T y, T z, T w) { \
        return {x, y, z, w};                                    \
    }                                                           \
    inline name##4_32a make_##name##4_32a(T x, T y, T z, T w) { \
        return {x, y, z, w};                                    \
    }

CUDA_CPU_WIDE_VECTOR(long, long)
CUDA_CPU_WIDE_VECTOR(ulong, unsigned long)
CUDA_CPU_WIDE_VECTOR(longlong, long long)
CUDA_CPU_WIDE_VECTOR(ulonglong, unsigned long long)
CUDA_CPU_WIDE_VECTOR(double, double)
#undef CUDA_CPU_WIDE_VECTOR

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
