// Functions of integers and of bit patterns.
#pragma once
#include <math.h>
#include <stdint.h>
#include <string.h>

inline int __clz(int n) {
    return n ? __builtin_clz(static_cast<unsigned>(n)) : 32;
}
inline int __clzll(long long n) {
    return n ? __builtin_clzll(static_cast<unsigned long long>(n)) : 64;
}
inline int __popc(unsigned n) {
    return __builtin_popcount(n);
}
inline int __popcll(unsigned long long n) {
    return __builtin_popcountll(n);
}
inline int __ffs(int n) {
    return __builtin_ffs(n);
}
inline int __ffsll(long long n) {
    return __builtin_ffsll(n);
}

inline unsigned __brev(unsigned n) {
    n = (n >> 1 & 0x55555555) | (n & 0x55555555) << 1;
    n = (n >> 2 & 0x33333333) | (n & 0x33333333) << 2;
    n = (n >> 4 & 0x0f0f0f0f) | (n & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(n);
}
inline unsigned long long __brevll(unsigned long long n) {
    return static_cast<unsigned long long>(__brev(static_cast<unsigned>(n))) << 32 |
           __brev(static_cast<unsigned>(n >> 32));
}

// The upper half of the product.
inline int __mulhi(int a, int b) {
    return static_cast<int>(static_cast<long long>(a) * b >> 32);
}
inline unsigned __umulhi(unsigned a, unsigned b) {
    return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
inline long long __mul64hi(long long a, long long b) {
    return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
// The product of the lower 24 bits.
inline int __mul24(int a, int b) {
    const long long x = static_cast<int>(static_cast<unsigned>(a) << 8) >> 8;
    const long long y = static_cast<int>(static_cast<unsigned>(b) << 8) >> 8;
    return static_cast<int>(x * y);
}
inline unsigned __umul24(unsigned a, unsigned b) {
    return (a & 0xffffff) * (b & 0xffffff);
}

// Picks 4 of the 8 bytes of y:x, by the lower 3 bits of each of the selector's 4 lower digits.
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; i++) {
        result |= static_cast<unsigned>(bytes >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
    }
    return result;
}

// The upper (l) or lower (r) word of high:low, shifted; the shift wraps at 32, or stops there (c).
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
    return static_cast<unsigned>(both << (shift & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
    return static_cast<unsigned>(both >> (shift & 31));
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

// The sum of the products of the four bytes, plus c.
inline int __dp4a(int a, int b, int c) {
    unsigned sum = static_cast<unsigned>(c);
    for (int i = 0; i < 32; i += 8) {
        sum += static_cast<unsigned>(static_cast<signed char>(a >> i) * static_cast<signed char>(b >> i));
    }
    return static_cast<int>(sum);
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    for (int i = 0; i < 32; i += 8) { c += (a >> i & 0xff) * (b >> i & 0xff); }
    return c;
}

#define CUDA_CPU_REINTERPRET(name, To, From) \
    inline To name(From from) {              \
        To to;                               \
        memcpy(&to, &from, sizeof(to));      \
        return to;                           \
    }
CUDA_CPU_REINTERPRET(__float_as_int, int, float)
CUDA_CPU_REINTERPRET(__float_as_uint, unsigned, float)
CUDA_CPU_REINTERPRET(__int_as_float, float, int)
CUDA_CPU_REINTERPRET(__uint_as_float, float, unsigned)
CUDA_CPU_REINTERPRET(__double_as_longlong, long long, double)
CUDA_CPU_REINTERPRET(__longlong_as_double, double, long long)
#undef CUDA_CPU_REINTERPRET

inline int __double2hiint(double d) {
    return static_cast<int>(__double_as_longlong(d) >> 32);
}
inline int __double2loint(double d) {
    return static_cast<int>(__double_as_longlong(d));
}
inline double __hiloint2double(int high, int low) {
    return __longlong_as_double(
        static_cast<long long>(static_cast<unsigned long long>(high) << 32 | static_cast<unsigned>(low)));
}

namespace cuda_cpu {

// To an integer as the GPU's conversions do it: out of range goes to the nearest there is.
template <class Integer, class Float>
inline Integer saturate_to(Float f) {
    constexpr bool is_signed = static_cast<Integer>(-1) < 0;
    constexpr int bits = static_cast<int>(sizeof(Integer)) * 8 - is_signed;
    constexpr Integer largest = static_cast<Integer>(~uint64_t{0} >> (64 - bits));
    constexpr Integer smallest = is_signed ? -largest - 1 : 0;
    if (f != f) { return sizeof(Integer) == 8 ? static_cast<Integer>(uint64_t{1} << 63) : 0; }
    if (f >= static_cast<Float>(ldexp(1.0, bits))) { return largest; }
    if (f <= static_cast<Float>(smallest)) { return smallest; }
    return static_cast<Integer>(f);
}

}  // namespace cuda_cpu
