// __nv_bfloat16: the upper half of a float: 1 bit of sign, 8 of exponent, 7 of mantissa.
#pragma once
#include "cuda_cpu/small_float.h"

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __nv_bfloat162_raw {
    unsigned short x, y;
};

namespace cuda_cpu {

struct Bfloat16Format {
    using Raw = __nv_bfloat16_raw;

    static unsigned short from_float(float f) {
        const uint32_t bits = float_bits(f);
        const uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;  // to nearest, ties to even
        return f != f ? 0x7fff : static_cast<unsigned short>(rounded);
    }
    static float to_float(unsigned short bits) { return bits_float(static_cast<uint32_t>(bits) << 16); }
};

}  // namespace cuda_cpu

using __nv_bfloat16 = cuda_cpu::SmallFloat<cuda_cpu::Bfloat16Format>;
using __nv_bfloat162 = cuda_cpu::Pair<cuda_cpu::Bfloat16Format>;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

CUDA_CPU_SMALL_FLOAT(bfloat16, __nv_bfloat16, __nv_bfloat162, 7)

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7F80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7FFF)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7F7F)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3F80)
