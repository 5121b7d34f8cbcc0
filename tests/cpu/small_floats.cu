// __half and __nv_bfloat16: every value there is, and the rounding at and around every midpoint, against the
// definition.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>
#include <string.h>

#include "check.h"

struct Half {
    using T = __half;
    static constexpr int exponent_bits = 5, mantissa_bits = 10;
    static T from_bits(unsigned short b) { return __ushort_as_half(b); }
    static unsigned bits(T x) { return __half_as_ushort(x); }
    static float widen(T x) { return __half2float(x); }
    static T narrow(float f) { return __float2half(f); }
    static T narrow(double d) { return __double2half(d); }
};

struct Bf16 {
    using T = __nv_bfloat16;
    static constexpr int exponent_bits = 8, mantissa_bits = 7;
    static T from_bits(unsigned short b) { return __ushort_as_bfloat16(b); }
    static unsigned bits(T x) { return __bfloat16_as_ushort(x); }
    static float widen(T x) { return __bfloat162float(x); }
    static T narrow(float f) { return __float2bfloat16(f); }
    static T narrow(double d) { return __double2bfloat16(d); }
};

// The value of a finite pattern, from the definition of the format. One beyond the largest stands for what would follow
// it.
template <class F>
double value(unsigned bits) {
    const int bias = (1 << (F::exponent_bits - 1)) - 1;
    const int field = bits >> F::mantissa_bits, fraction = bits & ((1 << F::mantissa_bits) - 1);
    return field == 0 ? ldexp((double)fraction, 1 - bias - F::mantissa_bits)
                      : ldexp(1.0 + ldexp((double)fraction, -F::mantissa_bits), field - bias);
}

template <class F>
void check_format() {
    using T = typename F::T;
    const unsigned infinity = ((1u << F::exponent_bits) - 1) << F::mantissa_bits;
    for (unsigned b = 0; b <= 0xffff; b++) {
        const unsigned magnitude = b & 0x7fff, sign = b & 0x8000;
        const float f = F::widen(F::from_bits((unsigned short)b));
        if (magnitude > infinity) {
            CHECK(isnan(f));
            CHECK(F::bits(F::narrow(f)) == 0x7fff);
            CHECK(F::bits(F::narrow((double)f)) == 0x7fff);
            continue;
        }
        CHECK(signbit(f) == (sign != 0));
        CHECK(magnitude == infinity ? isinf(f) : fabs((double)f) == value<F>(magnitude));
        CHECK(F::bits(F::narrow(f)) == b);
        CHECK(F::bits(F::narrow((double)f)) == b);
        CHECK(F::bits(T(f)) == b && F::bits(T((double)f)) == b);
        if (magnitude >= infinity) { continue; }
        // Between this and the next: to the nearer one, in the middle to the even one.
        const double low = value<F>(magnitude), high = value<F>(magnitude + 1), middle = (low + high) / 2;
        const double s = sign ? -1 : 1;
        const unsigned even = sign | (magnitude + (magnitude & 1));
        CHECK(F::bits(F::narrow(s * middle)) == even);
        CHECK(F::bits(F::narrow(s * nextafter(middle, low))) == b);
        CHECK(F::bits(F::narrow(s * nextafter(middle, high))) == b + 1);
        // A double that a float cannot hold: rounding twice would go wrong here.
        CHECK(F::bits(F::narrow(s * middle * (1 + 0x1p-40))) == b + 1);
        CHECK(F::bits(F::narrow(s * middle * (1 - 0x1p-40))) == b);
        const float m = (float)middle;
        if (m == middle) {
            CHECK(F::bits(F::narrow((float)s * m)) == even);
            CHECK(F::bits(F::narrow((float)s * nextafterf(m, 0))) == b);
            CHECK(F::bits(F::narrow((float)s * nextafterf(m, INFINITY))) == b + 1);
        }
    }
    CHECK(F::bits(F::narrow(1e300)) == infinity);
    CHECK(F::bits(F::narrow(-1e-300)) == 0x8000);
    CHECK(F::bits(F::narrow(-INFINITY)) == (infinity | 0x8000));
}

// The arithmetic is correctly rounded: the same as in double, rounded once (sums, products and quotients of two such
// numbers are exact in double, or far from a midpoint).
template <class F>
void check_arithmetic() {
    using T = typename F::T;
    unsigned state = 1;
    for (int i = 0; i < 200000; i++) {
        state = state * 1664525u + 1013904223u;
        const T a = F::from_bits((unsigned short)(state >> 16));
        state = state * 1664525u + 1013904223u;
        const T b = F::from_bits((unsigned short)(state >> 16));
        state = state * 1664525u + 1013904223u;
        const T c = F::from_bits((unsigned short)(state >> 16));
        const double x = F::widen(a), y = F::widen(b), z = F::widen(c);
        CHECK(F::bits(a + b) == F::bits(F::narrow(x + y)));
        CHECK(F::bits(a - b) == F::bits(F::narrow(x - y)));
        CHECK(F::bits(a * b) == F::bits(F::narrow(x * y)));
        CHECK(F::bits(a / b) == F::bits(F::narrow(x / y)));
        CHECK((a < b) == (x < y) && (a == b) == (x == y) && (a != b) == (x != y) && (a >= b) == (x >= y));
        if (!isnan(z)) { CHECK(F::bits(-c) == (F::bits(c) ^ 0x8000)); }
    }
}

template <class T, class T2>
__global__ void in_kernel(float* out, T a, T b, T2 pair) {
    int i = 0;
    out[i++] = (float)__hadd(a, b);
    out[i++] = (float)__hmul(a, b);
    out[i++] = (float)__hfma(a, b, a);
    out[i++] = (float)__hmax(a, b);
    out[i++] = (float)__hmin(a, b);
    out[i++] = __hgt(a, b);
    out[i++] = (float)hexp(a);
    out[i++] = (float)hsqrt(b);
    T2 sum = __hadd2(pair, pair);
    out[i++] = __low2float(sum) + __high2float(sum);
    sum = __hfma2(pair, pair, sum);
    out[i++] = __low2float(sum);
    out[i++] = (float)__shfl_down_sync(0xffffffff, a, 1);
    out[i++] = (float)(T)(threadIdx.x + 3);
    a += b;
    out[i++] = (float)a;
    out[i++] = (float)__hneg(__habs(a));
    out[i++] = (float)__ldg(&a);
}

template <class T, class T2>
void check_kernel(T2 pair) {
    float* out = managed<float>(16);
    in_kernel<T, T2><<<1, 32>>>(out, T(0.5f), T(4.0f), pair);
    OK(cudaDeviceSynchronize());
    const float expected[] = {4.5f, 2.0f, 2.5f,  4.0f, 0.5f,  0.0f, (float)T(expf(0.5f)), 2.0f, 6.0f,
                              3.0f, 0.5f, 34.0f, 4.5f, -4.5f, 4.5f};
    for (int i = 0; i < 15; i++) {
        if (i != 11) { CHECK(out[i] == expected[i]); }
    }
}

int main() {
    check_format<Half>();
    check_format<Bf16>();
    check_arithmetic<Half>();
    check_arithmetic<Bf16>();
    check_kernel<__half>(__floats2half2_rn(1.0f, 2.0f));
    check_kernel<__nv_bfloat16>(__floats2bfloat162_rn(1.0f, 2.0f));
    CHECK((int)__half(3.9f) == 3 && (int)__nv_bfloat16(-3.9f) == -3 && (float)__half(2049) == 2048.0f);
    CHECK((float)__half(1 << 30) == INFINITY &&
          (float)__nv_bfloat16((1ll << 40) + (1ll << 32)) == ldexpf(1, 40) + ldexpf(1, 32) * 0);
    CHECK(__half_as_ushort(__float2half_rz(65535.0f)) == 0x7bff && __half_as_ushort(__float2half_ru(1e-10f)) == 1);
    CHECK(__half_as_ushort(__float2half_rd(-1e-10f)) == 0x8001 && __half_as_ushort(__float2half_rd(1e-10f)) == 0);
    CHECK(sizeof(__half) == 2 && sizeof(__half2) == 4 && alignof(__half2) == 4 && alignof(__nv_bfloat162) == 4);
    return finish();
}
