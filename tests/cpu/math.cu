// Mathematical functions and intrinsics, called in a kernel, against the host's in double.
#include <math.h>
#include <math_constants.h>

#include "check.h"

__global__ void floats(float* out, float x, float y) {
    int i = 0;
    out[i++] = expf(x);
    out[i++] = exp2f(x);
    out[i++] = rsqrtf(x);
    out[i++] = __expf(x);
    out[i++] = __logf(x);
    out[i++] = __fdividef(x, y);
    out[i++] = __frcp_rn(x);
    out[i++] = __fmaf_rn(x, y, x);
    out[i++] = normcdff(x);
    out[i++] = erff(x);
    out[i++] = tanhf(x);
    out[i++] = __sinf(x);
    out[i++] = sinpif(x);
    out[i++] = cospif(x);
    out[i++] = rcbrtf(x);
    out[i++] = powf(x, y);
    out[i++] = __saturatef(x);
    sincosf(x, out + i, out + i + 1);
    i += 2;
    out[i++] = __fsqrt_rn(x);
    out[i++] = exp10f(x);
    out[i++] = log1pf(x);
    out[i++] = hypotf(x, y);
    out[i++] = fmaf(x, y, 1.0f);
    out[i++] = norm3df(x, y, 1.0f);
}

__global__ void specials(float* out, float nan) {
    int i = 0;
    out[i++] = fminf(nan, 1.0f);
    out[i++] = fmaxf(2.0f, nan);
    out[i++] = min(nan, 3.0f);
    out[i++] = max(4.0f, nan);
    out[i++] = __saturatef(nan) + 5.0f;
    out[i++] = isnan(nan) && isnan(nan + 1.0f) && nan != nan ? 6.0f : 0.0f;
    out[i++] = isinf(CUDART_INF_F) && -CUDART_INF_F < 0 ? 7.0f : 0.0f;
}

__global__ void integers(long long* out, int x, unsigned u, long long l) {
    int i = 0;
    out[i++] = __clz(x);
    out[i++] = __clz(0);
    out[i++] = __clzll(l);
    out[i++] = __popc(u);
    out[i++] = __popcll(l);
    out[i++] = __ffs(x);
    out[i++] = __ffsll(l);
    out[i++] = __brev(u);
    out[i++] = __umulhi(u, u);
    out[i++] = __mulhi(-x, x);
    out[i++] = __byte_perm(0x33221100, 0x77665544, 0x7205);
    out[i++] = __funnelshift_l(u, 0x12345678, 8);
    out[i++] = min(x, -3) + max(u, 7u) + min(l, 5ll);
    out[i++] = __float_as_int(1.0f);
    out[i++] = (long long)__uint_as_float(0x40000000u);
    out[i++] = __double_as_longlong(1.0);
    out[i++] = __float2int_rn(2.5f);
    out[i++] = __float2int_rz(-2.5f);
    out[i++] = __float2int_ru(2.1f);
    out[i++] = __float2uint_rn(-1.0f);
    out[i++] = __float2int_rn(1e20f);
    out[i++] = __double2int_rn(3.5);
    out[i++] = __dp4a(0x01020304, 0x01010101, 5);
}

static bool close(double a, double b) {
    return fabs(a - b) <= 1e-5 * fabs(b) + 1e-7;
}

int main() {
    float* out = managed<float>(32);
    for (float x : {0.25f, 1.5f, 2.75f}) {
        const double d = x, y = 0.75;
        floats<<<1, 1>>>(out, x, 0.75f);
        OK(cudaDeviceSynchronize());
        const double expected[] = {exp(d),
                                   exp2(d),
                                   1 / sqrt(d),
                                   exp(d),
                                   log(d),
                                   d / y,
                                   1 / d,
                                   d * y + d,
                                   0.5 * erfc(-d / sqrt(2.0)),
                                   erf(d),
                                   tanh(d),
                                   sin(d),
                                   sin(M_PI * d),
                                   cos(M_PI * d),
                                   1 / cbrt(d),
                                   pow(d, y),
                                   d < 1 ? d : 1,
                                   sin(d),
                                   cos(d),
                                   sqrt(d),
                                   pow(10, d),
                                   log1p(d),
                                   hypot(d, y),
                                   d * y + 1,
                                   sqrt(d * d + y * y + 1)};
        for (int i = 0; i < 25; i++) {
            if (!close(out[i], expected[i])) { printf("x = %g, value %d: %g, not %g\n", d, i, out[i], expected[i]); }
            CHECK(close(out[i], expected[i]));
        }
    }
    specials<<<1, 1>>>(out, NAN);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 7; i++) { CHECK(out[i] == i + 1); }

    long long* n = managed<long long>(32);
    integers<<<1, 1>>>(n, 40, 0xf0f0f0f1u, 1ll << 40);
    OK(cudaDeviceSynchronize());
    const long long expected[] = {26,
                                  32,
                                  23,
                                  17,
                                  1,
                                  4,
                                  41,
                                  0x8f0f0f0f,
                                  0xe2c4a688,
                                  -1,
                                  0x77220055,
                                  0x345678f0,
                                  -3 + 0xf0f0f0f1ll + 5,
                                  0x3f800000,
                                  2,
                                  0x3ff0000000000000,
                                  2,
                                  -2,
                                  3,
                                  0,
                                  2147483647,
                                  4,
                                  15};
    for (int i = 0; i < 23; i++) {
        if (n[i] != expected[i]) { printf("integer %d: %llx, not %llx\n", i, n[i], expected[i]); }
        CHECK(n[i] == expected[i]);
    }
    return finish();
}
