// The 16-bit floating-point types and pairs of them. half.h and bf16.h say what the two formats are and are called.
//
// Arithmetic is in float, and rounds once more to 16 bits: for + - * / and square roots that gives the correctly
// rounded result. A fused multiply-add needs double for it. Every NaN that comes out is 0x7fff, as on a GPU.
#pragma once
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "cuda_cpu/atomics.h"
#include "cuda_cpu/bits.h"
#include "cuda_cpu/vector_types.h"

namespace cuda_cpu {

enum class Rounding { nearest, zero, up, down };

inline uint32_t float_bits(float f) {
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return bits;
}

inline float bits_float(uint32_t bits) {
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

// To a float that has all that a later rounding to fewer bits needs to know: what is lost makes the last bit 1.
inline float round_to_odd(double d) {
    const float f = static_cast<float>(d);
    if (f == d || d != d) { return f; }
    return bits_float((float_bits(f) - (fabs(static_cast<double>(f)) > fabs(d))) | 1);
}
inline float round_to_odd(unsigned long long n) {
    if (n < (1u << 24)) { return static_cast<float>(n); }
    const int shift = 40 - __builtin_clzll(n);
    const bool lost = (n & ((1ull << shift) - 1)) != 0;
    return ldexpf(static_cast<float>((n >> shift) | lost), shift);
}
inline float round_to_odd(long long n) {
    return n < 0 ? -round_to_odd(0ull - static_cast<unsigned long long>(n))
                 : round_to_odd(static_cast<unsigned long long>(n));
}

// The 16-bit format with so many bits of mantissa, from a float, by the book.
template <int mantissa_bits>
inline unsigned short narrow(float f, Rounding rounding) {
    constexpr int smallest_exponent = 2 - (1 << (14 - mantissa_bits));
    constexpr uint32_t infinity = 0x7fff >> mantissa_bits << mantissa_bits;
    const uint32_t bits = float_bits(f), sign = bits >> 16 & 0x8000;
    if (f != f) { return 0x7fff; }
    if ((bits & 0x7fffffff) == 0x7f800000) { return static_cast<unsigned short>(sign | infinity); }
    const int field = static_cast<int>(bits >> 23 & 0xff), exponent = (field ? field : 1) - 127;
    const uint64_t significand = (bits & 0x7fffff) | (field ? 0x800000u : 0u);
    const int below = exponent < smallest_exponent ? smallest_exponent - exponent : 0;
    const int shift = 23 - mantissa_bits + (below < 32 ? below : 32);
    const uint64_t kept = significand >> shift, rest = significand & ((uint64_t{1} << shift) - 1);
    const uint64_t middle = uint64_t{1} << (shift - 1);
    const bool away = rounding == Rounding::up ? !sign : rounding == Rounding::down && sign;
    const bool increment =
        rounding == Rounding::nearest ? rest > middle || (rest == middle && (kept & 1)) : away && rest != 0;
    const uint64_t result =
        (static_cast<uint64_t>(exponent + below - smallest_exponent) << mantissa_bits) + kept + increment;
    if (result < infinity) { return static_cast<unsigned short>(sign | result); }
    return static_cast<unsigned short>(sign | (rounding == Rounding::nearest || away ? infinity : infinity - 1));
}

template <class Format>
struct Pair;

template <class Format>
struct SmallFloat {
    using T = SmallFloat;
    using Raw = typename Format::Raw;
    unsigned short __x;

    SmallFloat() = default;
    constexpr SmallFloat(const Raw& raw) : __x(raw.x) {}
    SmallFloat(float f) : __x(Format::from_float(f)) {}
    SmallFloat(double d) : __x(Format::from_float(round_to_odd(d))) {}
    SmallFloat(short n) : SmallFloat(static_cast<float>(n)) {}
    SmallFloat(unsigned short n) : SmallFloat(static_cast<float>(n)) {}
    SmallFloat(int n) : SmallFloat(static_cast<double>(n)) {}
    SmallFloat(unsigned n) : SmallFloat(static_cast<double>(n)) {}
    SmallFloat(long n) : SmallFloat(round_to_odd(static_cast<long long>(n))) {}
    SmallFloat(unsigned long n) : SmallFloat(round_to_odd(static_cast<unsigned long long>(n))) {}
    SmallFloat(long long n) : SmallFloat(round_to_odd(n)) {}
    SmallFloat(unsigned long long n) : SmallFloat(round_to_odd(n)) {}
    template <class Other>
    explicit SmallFloat(SmallFloat<Other> other) : SmallFloat(static_cast<float>(other)) {}

    operator Raw() const { return {__x}; }
    operator float() const { return Format::to_float(__x); }
    constexpr operator bool() const { return (__x & 0x7fff) != 0; }
    operator char() const { return saturate_to<char>(to_float()); }
    operator signed char() const { return saturate_to<signed char>(to_float()); }
    operator unsigned char() const { return saturate_to<unsigned char>(to_float()); }
    operator short() const { return saturate_to<short>(to_float()); }
    operator unsigned short() const { return saturate_to<unsigned short>(to_float()); }
    operator int() const { return saturate_to<int>(to_float()); }
    operator unsigned() const { return saturate_to<unsigned>(to_float()); }
    operator long() const { return saturate_to<long>(to_float()); }
    operator unsigned long() const { return saturate_to<unsigned long>(to_float()); }
    operator long long() const { return saturate_to<long long>(to_float()); }
    operator unsigned long long() const { return saturate_to<unsigned long long>(to_float()); }

    float to_float() const { return Format::to_float(__x); }
    static constexpr T from_bits(unsigned short bits) { return T(Raw{bits}); }

    friend T operator+(const T& a, const T& b) { return a.to_float() + b.to_float(); }
    friend T operator-(const T& a, const T& b) { return a.to_float() - b.to_float(); }
    friend T operator*(const T& a, const T& b) { return a.to_float() * b.to_float(); }
    friend T operator/(const T& a, const T& b) { return a.to_float() / b.to_float(); }
    friend T& operator+=(T& a, const T& b) { return a = a + b; }
    friend T& operator-=(T& a, const T& b) { return a = a - b; }
    friend T& operator*=(T& a, const T& b) { return a = a * b; }
    friend T& operator/=(T& a, const T& b) { return a = a / b; }
    friend T& operator++(T& a) { return a = a.to_float() + 1.0f; }
    friend T& operator--(T& a) { return a = a.to_float() - 1.0f; }
    friend T operator++(T& a, int) {
        const T old = a;
        ++a;
        return old;
    }
    friend T operator--(T& a, int) {
        const T old = a;
        --a;
        return old;
    }
    friend T operator+(const T& a) { return a; }
    friend T operator-(const T& a) { return from_bits(a.__x ^ 0x8000); }
    friend bool operator==(const T& a, const T& b) { return a.to_float() == b.to_float(); }
    friend bool operator!=(const T& a, const T& b) { return a.to_float() != b.to_float(); }
    friend bool operator<(const T& a, const T& b) { return a.to_float() < b.to_float(); }
    friend bool operator>(const T& a, const T& b) { return a.to_float() > b.to_float(); }
    friend bool operator<=(const T& a, const T& b) { return a.to_float() <= b.to_float(); }
    friend bool operator>=(const T& a, const T& b) { return a.to_float() >= b.to_float(); }

    friend T __hadd(T a, T b) { return a + b; }
    friend T __hsub(T a, T b) { return a - b; }
    friend T __hmul(T a, T b) { return a * b; }
    friend T __hdiv(T a, T b) { return a / b; }
    friend T __hadd_rn(T a, T b) { return a + b; }
    friend T __hsub_rn(T a, T b) { return a - b; }
    friend T __hmul_rn(T a, T b) { return a * b; }
    friend T __hfma(T a, T b, T c) {
        return static_cast<double>(a.to_float()) * static_cast<double>(b.to_float()) +
               static_cast<double>(c.to_float());
    }
    friend T saturate(T a) { return a.to_float() > 0.0f ? (a.to_float() < 1.0f ? a : T(1.0f)) : T(0.0f); }
    friend T __hadd_sat(T a, T b) { return saturate(a + b); }
    friend T __hsub_sat(T a, T b) { return saturate(a - b); }
    friend T __hmul_sat(T a, T b) { return saturate(a * b); }
    friend T __hfma_sat(T a, T b, T c) { return saturate(__hfma(a, b, c)); }
    friend T __hfma_relu(T a, T b, T c) { return __hmax_nan(__hfma(a, b, c), T(0.0f)); }
    friend T __hneg(T a) { return -a; }
    friend T __habs(T a) { return from_bits(a.__x & 0x7fff); }
    friend bool __hisnan(T a) { return a != a; }
    friend int __hisinf(T a) { return isinf(a.to_float()) ? (a.__x & 0x8000 ? -1 : 1) : 0; }
    friend T __hmax_nan(T a, T b) { return a != a || b != b ? from_bits(0x7fff) : larger(a, b); }
    friend T __hmin_nan(T a, T b) { return a != a || b != b ? from_bits(0x7fff) : -larger(-a, -b); }
    friend T __hmax(T a, T b) { return a != a && b != b ? from_bits(0x7fff) : a != a ? b : b != b ? a : larger(a, b); }
    friend T __hmin(T a, T b) {
        return a != a && b != b ? from_bits(0x7fff) : a != a ? b : b != b ? a : -larger(-a, -b);
    }

    // The plain ones are false where an operand is NaN, those with a u ("or unordered") are true.
    friend bool __heq(T a, T b) { return a == b; }
    friend bool __hne(T a, T b) { return a < b || a > b; }
    friend bool __hlt(T a, T b) { return a < b; }
    friend bool __hle(T a, T b) { return a <= b; }
    friend bool __hgt(T a, T b) { return a > b; }
    friend bool __hge(T a, T b) { return a >= b; }
    friend bool __hequ(T a, T b) { return !__hne(a, b); }
    friend bool __hneu(T a, T b) { return a != b; }
    friend bool __hltu(T a, T b) { return !(a >= b); }
    friend bool __hleu(T a, T b) { return !(a > b); }
    friend bool __hgtu(T a, T b) { return !(a <= b); }
    friend bool __hgeu(T a, T b) { return !(a < b); }

    friend T hexp(T a) { return expf(a.to_float()); }
    friend T hexp2(T a) { return exp2f(a.to_float()); }
    friend T hexp10(T a) { return powf(10.0f, a.to_float()); }
    friend T hlog(T a) { return logf(a.to_float()); }
    friend T hlog2(T a) { return log2f(a.to_float()); }
    friend T hlog10(T a) { return log10f(a.to_float()); }
    friend T hsin(T a) { return sinf(a.to_float()); }
    friend T hcos(T a) { return cosf(a.to_float()); }
    friend T htanh(T a) { return tanhf(a.to_float()); }
    friend T htanh_approx(T a) { return tanhf(a.to_float()); }
    friend T hsqrt(T a) { return sqrtf(a.to_float()); }
    friend T hrsqrt(T a) { return 1.0 / sqrt(static_cast<double>(a.to_float())); }
    friend T hrcp(T a) { return 1.0f / a.to_float(); }
    friend T hceil(T a) { return ceilf(a.to_float()); }
    friend T hfloor(T a) { return floorf(a.to_float()); }
    friend T htrunc(T a) { return truncf(a.to_float()); }
    friend T hrint(T a) { return rintf(a.to_float()); }

  private:
    static T larger(T a, T b) { return a == b ? from_bits(a.__x & b.__x) : a > b ? a : b; }  // +0 is larger than -0
};

template <class Format>
struct alignas(4) Pair {
    using T = SmallFloat<Format>;
    T x, y;

    Pair() = default;
    constexpr Pair(const T& a, const T& b) : x(a), y(b) {}

#define CUDA_CPU_UNARY(name, scalar)       \
    friend Pair name(Pair a) {             \
        return {scalar(a.x), scalar(a.y)}; \
    }
#define CUDA_CPU_BINARY(name, scalar)                \
    friend Pair name(Pair a, Pair b) {               \
        return {scalar(a.x, b.x), scalar(a.y, b.y)}; \
    }
#define CUDA_CPU_TERNARY(name, scalar)                         \
    friend Pair name(Pair a, Pair b, Pair c) {                 \
        return {scalar(a.x, b.x, c.x), scalar(a.y, b.y, c.y)}; \
    }
// As a pair of ones and zeros, as one bool, and as a mask.
#define CUDA_CPU_COMPARISON(name)                                                               \
    friend Pair __h##name##2(Pair a, Pair b) {                                                  \
        return {T(__h##name(a.x, b.x) ? 1.0f : 0.0f), T(__h##name(a.y, b.y) ? 1.0f : 0.0f)};    \
    }                                                                                           \
    friend bool __hb##name##2(Pair a, Pair b) {                                                 \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                      \
    }                                                                                           \
    friend unsigned __h##name##2_mask(Pair a, Pair b) {                                         \
        return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u); \
    }
    CUDA_CPU_BINARY(__hadd2, __hadd)
    CUDA_CPU_BINARY(__hsub2, __hsub)
    CUDA_CPU_BINARY(__hmul2, __hmul)
    CUDA_CPU_BINARY(__hadd2_rn, __hadd)
    CUDA_CPU_BINARY(__hsub2_rn, __hsub)
    CUDA_CPU_BINARY(__hmul2_rn, __hmul)
    CUDA_CPU_BINARY(__h2div, __hdiv)
    CUDA_CPU_BINARY(__hadd2_sat, __hadd_sat)
    CUDA_CPU_BINARY(__hsub2_sat, __hsub_sat)
    CUDA_CPU_BINARY(__hmul2_sat, __hmul_sat)
    CUDA_CPU_BINARY(__hmax2, __hmax)
    CUDA_CPU_BINARY(__hmin2, __hmin)
    CUDA_CPU_BINARY(__hmax2_nan, __hmax_nan)
    CUDA_CPU_BINARY(__hmin2_nan, __hmin_nan)
    CUDA_CPU_TERNARY(__hfma2, __hfma)
    CUDA_CPU_TERNARY(__hfma2_sat, __hfma_sat)
    CUDA_CPU_TERNARY(__hfma2_relu, __hfma_relu)
    CUDA_CPU_UNARY(__hneg2, __hneg)
    CUDA_CPU_UNARY(__habs2, __habs)
    CUDA_CPU_UNARY(h2exp, hexp)
    CUDA_CPU_UNARY(h2exp2, hexp2)
    CUDA_CPU_UNARY(h2exp10, hexp10)
    CUDA_CPU_UNARY(h2log, hlog)
    CUDA_CPU_UNARY(h2log2, hlog2)
    CUDA_CPU_UNARY(h2log10, hlog10)
    CUDA_CPU_UNARY(h2sin, hsin)
    CUDA_CPU_UNARY(h2cos, hcos)
    CUDA_CPU_UNARY(h2tanh, htanh)
    CUDA_CPU_UNARY(h2sqrt, hsqrt)
    CUDA_CPU_UNARY(h2rsqrt, hrsqrt)
    CUDA_CPU_UNARY(h2rcp, hrcp)
    CUDA_CPU_UNARY(h2ceil, hceil)
    CUDA_CPU_UNARY(h2floor, hfloor)
    CUDA_CPU_UNARY(h2trunc, htrunc)
    CUDA_CPU_UNARY(h2rint, hrint)
    CUDA_CPU_COMPARISON(eq)
    CUDA_CPU_COMPARISON(ne)
    CUDA_CPU_COMPARISON(lt)
    CUDA_CPU_COMPARISON(le)
    CUDA_CPU_COMPARISON(gt)
    CUDA_CPU_COMPARISON(ge)
    CUDA_CPU_COMPARISON(equ)
    CUDA_CPU_COMPARISON(neu)
    CUDA_CPU_COMPARISON(ltu)
    CUDA_CPU_COMPARISON(leu)
    CUDA_CPU_COMPARISON(gtu)
    CUDA_CPU_COMPARISON(geu)
#undef CUDA_CPU_UNARY
#undef CUDA_CPU_BINARY
#undef CUDA_CPU_TERNARY
#undef CUDA_CPU_COMPARISON

    friend Pair __hisnan2(Pair a) {
        return {T(__hisnan(a.x) ? 1.0f : 0.0f), T(__hisnan(a.y) ? 1.0f : 0.0f)};
    }
    friend Pair operator+(const Pair& a, const Pair& b) {
        return {a.x + b.x, a.y + b.y};
    }
    friend Pair operator-(const Pair& a, const Pair& b) {
        return {a.x - b.x, a.y - b.y};
    }
    friend Pair operator*(const Pair& a, const Pair& b) {
        return {a.x * b.x, a.y * b.y};
    }
    friend Pair operator/(const Pair& a, const Pair& b) {
        return {a.x / b.x, a.y / b.y};
    }
    friend Pair& operator+=(Pair& a, const Pair& b) {
        return a = a + b;
    }
    friend Pair& operator-=(Pair& a, const Pair& b) {
        return a = a - b;
    }
    friend Pair& operator*=(Pair& a, const Pair& b) {
        return a = a * b;
    }
    friend Pair& operator/=(Pair& a, const Pair& b) {
        return a = a / b;
    }
    friend Pair operator+(const Pair& a) {
        return a;
    }
    friend Pair operator-(const Pair& a) {
        return {-a.x, -a.y};
    }
    friend bool operator==(const Pair& a, const Pair& b) {
        return a.x == b.x && a.y == b.y;
    }
    friend bool operator!=(const Pair& a, const Pair& b) {
        return a.x != b.x && a.y != b.y;
    }
    friend bool operator<(const Pair& a, const Pair& b) {
        return a.x < b.x && a.y < b.y;
    }
    friend bool operator>(const Pair& a, const Pair& b) {
        return a.x > b.x && a.y > b.y;
    }
    friend bool operator<=(const Pair& a, const Pair& b) {
        return a.x <= b.x && a.y <= b.y;
    }
    friend bool operator>=(const Pair& a, const Pair& b) {
        return a.x >= b.x && a.y >= b.y;
    }

    friend float __low2float(Pair a) {
        return a.x;
    }
    friend float __high2float(Pair a) {
        return a.y;
    }
    friend Pair __lowhigh2highlow(Pair a) {
        return {a.y, a.x};
    }
};

}  // namespace cuda_cpu

// The functions that have the format's name in theirs: __float2half, __float2bfloat16, ...
#define CUDA_CPU_SMALL_FLOAT(name, T, T2, mantissa_bits)                                   \
    inline float __##name##2float(T a) {                                                   \
        return a.to_float();                                                               \
    }                                                                                      \
    inline T __float2##name(float f) {                                                     \
        return T(f);                                                                       \
    }                                                                                      \
    inline T __float2##name##_rn(float f) {                                                \
        return T(f);                                                                       \
    }                                                                                      \
    inline T __float2##name##_rz(float f) {                                                \
        return T::from_bits(cuda_cpu::narrow<mantissa_bits>(f, cuda_cpu::Rounding::zero)); \
    }                                                                                      \
    inline T __float2##name##_ru(float f) {                                                \
        return T::from_bits(cuda_cpu::narrow<mantissa_bits>(f, cuda_cpu::Rounding::up));   \
    }                                                                                      \
    inline T __float2##name##_rd(float f) {                                                \
        return T::from_bits(cuda_cpu::narrow<mantissa_bits>(f, cuda_cpu::Rounding::down)); \
    }                                                                                      \
    inline T __double2##name(double d) {                                                   \
        return T(d);                                                                       \
    }                                                                                      \
    inline T __int2##name##_rn(int n) {                                                    \
        return T(n);                                                                       \
    }                                                                                      \
    inline T __uint2##name##_rn(unsigned n) {                                              \
        return T(n);                                                                       \
    }                                                                                      \
    inline T __short2##name##_rn(short n) {                                                \
        return T(n);                                                                       \
    }                                                                                      \
    inline T __ushort2##name##_rn(unsigned short n) {                                      \
        return T(n);                                                                       \
    }                                                                                      \
    inline T __ll2##name##_rn(long long n) {                                               \
        return T(n);                                                                       \
    }                                                                                      \
    inline T __ull2##name##_rn(unsigned long long n) {                                     \
        return T(n);                                                                       \
    }                                                                                      \
    CUDA_CPU_SMALL_FLOAT_TO(name, T, int, int)                                             \
    CUDA_CPU_SMALL_FLOAT_TO(name, T, uint, unsigned)                                       \
    CUDA_CPU_SMALL_FLOAT_TO(name, T, short, short)                                         \
    CUDA_CPU_SMALL_FLOAT_TO(name, T, ushort, unsigned short)                               \
    CUDA_CPU_SMALL_FLOAT_TO(name, T, ll, long long)                                        \
    CUDA_CPU_SMALL_FLOAT_TO(name, T, ull, unsigned long long)                              \
    inline unsigned short __##name##_as_ushort(T a) {                                      \
        return a.__x;                                                                      \
    }                                                                                      \
    inline short __##name##_as_short(T a) {                                                \
        return static_cast<short>(a.__x);                                                  \
    }                                                                                      \
    inline T __ushort_as_##name(unsigned short bits) {                                     \
        return T::from_bits(bits);                                                         \
    }                                                                                      \
    inline T __short_as_##name(short bits) {                                               \
        return T::from_bits(static_cast<unsigned short>(bits));                            \
    }                                                                                      \
    inline T2 make_##name##2(T a, T b) {                                                   \
        return {a, b};                                                                     \
    }                                                                                      \
    inline T2 __halves2##name##2(T a, T b) {                                               \
        return {a, b};                                                                     \
    }                                                                                      \
    inline T2 __##name##2##name##2(T a) {                                                  \
        return {a, a};                                                                     \
    }                                                                                      \
    inline T2 __float2##name##2_rn(float f) {                                              \
        return {T(f), T(f)};                                                               \
    }                                                                                      \
    inline T2 __floats2##name##2_rn(float f, float g) {                                    \
        return {T(f), T(g)};                                                               \
    }                                                                                      \
    inline T2 __float22##name##2_rn(float2 f) {                                            \
        return {T(f.x), T(f.y)};                                                           \
    }                                                                                      \
    inline float2 __##name##22float2(T2 a) {                                               \
        return {a.x.to_float(), a.y.to_float()};                                           \
    }                                                                                      \
    inline T __low2##name(T2 a) {                                                          \
        return a.x;                                                                        \
    }                                                                                      \
    inline T __high2##name(T2 a) {                                                         \
        return a.y;                                                                        \
    }                                                                                      \
    inline T2 __low2##name##2(T2 a) {                                                      \
        return {a.x, a.x};                                                                 \
    }                                                                                      \
    inline T2 __high2##name##2(T2 a) {                                                     \
        return {a.y, a.y};                                                                 \
    }                                                                                      \
    inline T2 __lows2##name##2(T2 a, T2 b) {                                               \
        return {a.x, b.x};                                                                 \
    }                                                                                      \
    inline T2 __highs2##name##2(T2 a, T2 b) {                                              \
        return {a.y, b.y};                                                                 \
    }                                                                                      \
    CUDA_CPU_ATOMIC_ADD(T)                                                                 \
    CUDA_CPU_ATOMIC_ADD(T2)

#define CUDA_CPU_SMALL_FLOAT_TO(name, T, to, Integer)                \
    inline Integer __##name##2##to##_rz(T a) {                       \
        return cuda_cpu::saturate_to<Integer>(truncf(a.to_float())); \
    }                                                                \
    inline Integer __##name##2##to##_rn(T a) {                       \
        return cuda_cpu::saturate_to<Integer>(rintf(a.to_float()));  \
    }                                                                \
    inline Integer __##name##2##to##_ru(T a) {                       \
        return cuda_cpu::saturate_to<Integer>(ceilf(a.to_float()));  \
    }                                                                \
    inline Integer __##name##2##to##_rd(T a) {                       \
        return cuda_cpu::saturate_to<Integer>(floorf(a.to_float())); \
    }
