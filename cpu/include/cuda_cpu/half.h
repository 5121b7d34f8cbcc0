// __half: 1 bit of sign, 5 of exponent, 10 of mantissa.
#pragma once
#include "cuda_cpu/small_float.h"

struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};

namespace cuda_cpu {

struct HalfFormat {
    using Raw = __half_raw;

#if defined(__F16C__)
    typedef float Floats __attribute__((vector_size(16)));
    typedef short Shorts __attribute__((vector_size(16)));

    static unsigned short from_float(float f) {
        const Shorts result = __builtin_ia32_vcvtps2ph(Floats{f, 0, 0, 0}, 0);
        return f != f ? 0x7fff : static_cast<unsigned short>(result[0]);
    }
    static float to_float(unsigned short bits) {
        return __builtin_ia32_vcvtph2ps(Shorts{static_cast<short>(bits), 0, 0, 0, 0, 0, 0, 0})[0];
    }
#else
    static unsigned short from_float(float f) {
        return narrow<10>(f, Rounding::nearest);
    }
    static float to_float(unsigned short bits) {
        // The exponent's bias is 112 smaller than float's; scaling also makes the denormals right.
        const float magnitude = bits_float((bits & 0x7fffu) << 13) * 0x1p112f;
        const uint32_t special = magnitude >= 65536.0f ? 0x7f800000 : 0;
        return bits_float(float_bits(magnitude) | special | (bits & 0x8000u) << 16);
    }
#endif
};

}  // namespace cuda_cpu

using __half = cuda_cpu::SmallFloat<cuda_cpu::HalfFormat>;
using __half2 = cuda_cpu::Pair<cuda_cpu::HalfFormat>;
using half = __half;
using half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;

CUDA_CPU_SMALL_FLOAT(half, __half, __half2, 10)

#define CUDART_INF_FP16 __ushort_as_half(0x7C00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7FFF)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7BFF)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3C00)
