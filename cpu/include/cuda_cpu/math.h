// CUDA's mathematical functions that C does not have. The fast ones (__expf, ...) are the exact ones here.
#pragma once
#include <math.h>
#include <stdlib.h>

#include "cuda_cpu/bits.h"

// ----------------------------------------------------------------------------
// min and max

#define CUDA_CPU_MIN_MAX(T, A, B)                                                             \
    inline T min(A a, B b) {                                                                  \
        return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(a) : static_cast<T>(b); \
    }                                                                                         \
    inline T max(A a, B b) {                                                                  \
        return static_cast<T>(a) > static_cast<T>(b) ? static_cast<T>(a) : static_cast<T>(b); \
    }
CUDA_CPU_MIN_MAX(int, int, int)
CUDA_CPU_MIN_MAX(unsigned, unsigned, unsigned)
CUDA_CPU_MIN_MAX(unsigned, int, unsigned)
CUDA_CPU_MIN_MAX(unsigned, unsigned, int)
CUDA_CPU_MIN_MAX(long, long, long)
CUDA_CPU_MIN_MAX(unsigned long, unsigned long, unsigned long)
CUDA_CPU_MIN_MAX(unsigned long, long, unsigned long)
CUDA_CPU_MIN_MAX(unsigned long, unsigned long, long)
CUDA_CPU_MIN_MAX(long long, long long, long long)
CUDA_CPU_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
CUDA_CPU_MIN_MAX(unsigned long long, long long, unsigned long long)
CUDA_CPU_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef CUDA_CPU_MIN_MAX

// Of a number and a NaN: the number.
inline float min(float a, float b) {
    return fminf(a, b);
}
inline float max(float a, float b) {
    return fmaxf(a, b);
}
inline double min(double a, double b) {
    return fmin(a, b);
}
inline double max(double a, double b) {
    return fmax(a, b);
}
inline double min(float a, double b) {
    return fmin(a, b);
}
inline double max(float a, double b) {
    return fmax(a, b);
}
inline double min(double a, float b) {
    return fmin(a, b);
}
inline double max(double a, float b) {
    return fmax(a, b);
}
inline unsigned umin(unsigned a, unsigned b) {
    return min(a, b);
}
inline unsigned umax(unsigned a, unsigned b) {
    return max(a, b);
}
inline long long llmin(long long a, long long b) {
    return min(a, b);
}
inline long long llmax(long long a, long long b) {
    return max(a, b);
}
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) {
    return min(a, b);
}
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) {
    return max(a, b);
}

// ----------------------------------------------------------------------------
// in float and double

#define CUDA_CPU_PI 3.14159265358979323846
#define CUDA_CPU_SQRT_HALF 0.70710678118654752440

inline double rsqrt(double x) {
    return 1.0 / sqrt(x);
}
inline float rsqrtf(float x) {
    return static_cast<float>(1.0 / sqrt(static_cast<double>(x)));
}
inline double rcbrt(double x) {
    return 1.0 / cbrt(x);
}
inline float rcbrtf(float x) {
    return static_cast<float>(1.0 / cbrt(static_cast<double>(x)));
}
inline double rhypot(double x, double y) {
    return 1.0 / hypot(x, y);
}
inline float rhypotf(float x, float y) {
    return static_cast<float>(1.0 / hypot(static_cast<double>(x), static_cast<double>(y)));
}
inline double norm3d(double x, double y, double z) {
    return hypot(hypot(x, y), z);
}
inline float norm3df(float x, float y, float z) {
    return static_cast<float>(norm3d(x, y, z));
}
inline double rnorm3d(double x, double y, double z) {
    return 1.0 / norm3d(x, y, z);
}
inline float rnorm3df(float x, float y, float z) {
    return static_cast<float>(rnorm3d(x, y, z));
}
inline double normcdf(double x) {
    return 0.5 * erfc(-x * CUDA_CPU_SQRT_HALF);
}
inline float normcdff(float x) {
    return static_cast<float>(normcdf(static_cast<double>(x)));
}
inline float fdividef(float x, float y) {
    return x / y;
}

// sin and cos of pi * x: the argument is reduced before it is rounded by the multiplication.
inline double sinpi(double x) {
    const double r = remainder(x, 2.0), a = fabs(r);
    if (a == 0.0 || a == 1.0) { return copysign(0.0, x); }
    return a <= 0.5 ? sin(CUDA_CPU_PI * r) : copysign(sin(CUDA_CPU_PI * (1.0 - a)), r);
}
inline double cospi(double x) {
    const double a = fabs(remainder(x, 2.0));
    return a <= 0.25 ? cos(CUDA_CPU_PI * a) : a < 0.75 ? sin(CUDA_CPU_PI * (0.5 - a)) : -cos(CUDA_CPU_PI * (1.0 - a));
}
inline float sinpif(float x) {
    return static_cast<float>(sinpi(static_cast<double>(x)));
}
inline float cospif(float x) {
    return static_cast<float>(cospi(static_cast<double>(x)));
}
inline void sincospi(double x, double* s, double* c) {
    *s = sinpi(x);
    *c = cospi(x);
}
inline void sincospif(float x, float* s, float* c) {
    *s = sinpif(x);
    *c = cospif(x);
}
#ifndef __CUDA__  // clang's own overloads are already there
inline float rsqrt(float x) {
    return rsqrtf(x);
}
inline float normcdf(float x) {
    return normcdff(x);
}
#endif

// ----------------------------------------------------------------------------
// intrinsics

namespace cuda_cpu {
// Keeps the compiler from fusing the result of a multiplication with an addition.
template <class Float>
inline Float rounded(Float x) {
#if defined(__x86_64__) && !defined(__CUDA__)
    asm("" : "+x"(x));
#elif defined(__aarch64__) && !defined(__CUDA__)
    asm("" : "+w"(x));
#else
    volatile Float stored = x;
    x = stored;
#endif
    return x;
}
}  // namespace cuda_cpu

inline float __expf(float x) {
    return expf(x);
}
inline float __exp10f(float x) {
    return static_cast<float>(pow(10.0, static_cast<double>(x)));
}
inline float __logf(float x) {
    return logf(x);
}
inline float __log2f(float x) {
    return log2f(x);
}
inline float __log10f(float x) {
    return log10f(x);
}
inline float __powf(float x, float y) {
    return powf(x, y);
}
inline float __sinf(float x) {
    return sinf(x);
}
inline float __cosf(float x) {
    return cosf(x);
}
inline float __tanf(float x) {
    return tanf(x);
}
inline float __tanhf(float x) {
    return tanhf(x);
}
inline void __sincosf(float x, float* s, float* c) {
    *s = sinf(x);
    *c = cosf(x);
}
inline float __fdividef(float x, float y) {
    return x / y;
}
inline float __saturatef(float x) {
    return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}
inline float __frcp_rn(float x) {
    return 1.0f / x;
}
inline float __fsqrt_rn(float x) {
    return sqrtf(x);
}
inline float __frsqrt_rn(float x) {
    return rsqrtf(x);
}
inline float __fadd_rn(float x, float y) {
    return cuda_cpu::rounded(x + y);
}
inline float __fsub_rn(float x, float y) {
    return cuda_cpu::rounded(x - y);
}
inline float __fmul_rn(float x, float y) {
    return cuda_cpu::rounded(x * y);
}
inline float __fdiv_rn(float x, float y) {
    return x / y;
}
inline float __fmaf_rn(float x, float y, float z) {
    return fmaf(x, y, z);
}
inline double __drcp_rn(double x) {
    return 1.0 / x;
}
inline double __dsqrt_rn(double x) {
    return sqrt(x);
}
inline double __dadd_rn(double x, double y) {
    return cuda_cpu::rounded(x + y);
}
inline double __dsub_rn(double x, double y) {
    return cuda_cpu::rounded(x - y);
}
inline double __dmul_rn(double x, double y) {
    return cuda_cpu::rounded(x * y);
}
inline double __ddiv_rn(double x, double y) {
    return x / y;
}
inline double __fma_rn(double x, double y, double z) {
    return fma(x, y, z);
}

#define CUDA_CPU_TO_INTEGER(from, to, From, Integer)     \
    inline Integer __##from##2##to##_rz(From x) {        \
        return cuda_cpu::saturate_to<Integer>(trunc(x)); \
    }                                                    \
    inline Integer __##from##2##to##_rn(From x) {        \
        return cuda_cpu::saturate_to<Integer>(rint(x));  \
    }                                                    \
    inline Integer __##from##2##to##_ru(From x) {        \
        return cuda_cpu::saturate_to<Integer>(ceil(x));  \
    }                                                    \
    inline Integer __##from##2##to##_rd(From x) {        \
        return cuda_cpu::saturate_to<Integer>(floor(x)); \
    }
CUDA_CPU_TO_INTEGER(float, int, float, int)
CUDA_CPU_TO_INTEGER(float, uint, float, unsigned)
CUDA_CPU_TO_INTEGER(float, ll, float, long long)
CUDA_CPU_TO_INTEGER(float, ull, float, unsigned long long)
CUDA_CPU_TO_INTEGER(double, int, double, int)
CUDA_CPU_TO_INTEGER(double, uint, double, unsigned)
CUDA_CPU_TO_INTEGER(double, ll, double, long long)
CUDA_CPU_TO_INTEGER(double, ull, double, unsigned long long)
#undef CUDA_CPU_TO_INTEGER

inline float __int2float_rn(int n) {
    return static_cast<float>(n);
}
inline float __uint2float_rn(unsigned n) {
    return static_cast<float>(n);
}
inline float __ll2float_rn(long long n) {
    return static_cast<float>(n);
}
inline float __ull2float_rn(unsigned long long n) {
    return static_cast<float>(n);
}
inline float __double2float_rn(double d) {
    return static_cast<float>(d);
}
inline double __int2double_rn(int n) {
    return n;
}
inline double __uint2double_rn(unsigned n) {
    return n;
}
inline double __ll2double_rn(long long n) {
    return static_cast<double>(n);
}
inline double __ull2double_rn(unsigned long long n) {
    return static_cast<double>(n);
}
