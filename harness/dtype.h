// The element types of a problem: names, sizes, and exact conversion from and to float64.
// The conversions are written on the bits, apart from CUDA's own, so that the check does not trust what it checks.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace brrr {

enum class DType { f32, f64, f16, bf16 };

// An IEEE 754 style format of Bits bits of which MantissaBits are stored. encode() rounds to nearest, ties to even,
// once, also into denormals; values past the largest finite one become infinite.
template <class BitsT, int MantissaBits, int ExponentBits>
struct FloatFormat {
    using Bits = BitsT;
    static constexpr int kMantissa = MantissaBits;
    static constexpr int kBias = (1 << (ExponentBits - 1)) - 1;
    static constexpr int kMinExponent = 1 - kBias;  // of the smallest normal number

    static double smallest_normal() { return std::ldexp(1.0, kMinExponent); }
    static double denorm_min() { return std::ldexp(1.0, kMinExponent - kMantissa); }
    static double largest() { return std::ldexp(2.0 - std::ldexp(1.0, -kMantissa), kBias); }

    // The distance between neighbouring numbers of this format around a finite x (a unit in the last place).
    static double ulp(double x) {
        uint64_t bits;
        std::memcpy(&bits, &x, 8);  // of a float64, whose denormals all are below every other format's smallest
        int exponent = std::max(int(bits >> 52 & 0x7ff) - 1023, kMinExponent);
        return power_of_two(std::min(exponent, kBias) - kMantissa);
    }

    static double power_of_two(int exponent) {
        if (exponent < -1022) { return std::ldexp(1.0, exponent); }
        uint64_t bits = uint64_t(exponent + 1023) << 52;
        double power;
        std::memcpy(&power, &bits, 8);
        return power;
    }

    static double decode(Bits bits) {
        if constexpr (sizeof(Bits) == 8) {
            double value;
            std::memcpy(&value, &bits, 8);
            return value;
        } else if constexpr (ExponentBits == 8) {  // float, and bfloat16 as its upper half
            uint32_t wide = uint32_t(bits) << (23 - kMantissa);
            float value;
            std::memcpy(&value, &wide, 4);
            return value;
        } else {
            uint64_t sign = uint64_t(bits >> (MantissaBits + ExponentBits)) << 63;
            uint64_t exponent = (bits >> MantissaBits) & ((1u << ExponentBits) - 1);
            uint64_t mantissa = bits & ((1u << MantissaBits) - 1);
            if (exponent == 0) { return (sign ? -1.0 : 1.0) * double(mantissa) * denorm_min(); }
            bool special = exponent == (1u << ExponentBits) - 1;
            uint64_t wide =
                sign | (special ? 0x7ffull : exponent - kBias + 1023) << 52 | mantissa << (52 - MantissaBits);
            double value;
            std::memcpy(&value, &wide, 8);
            return value;
        }
    }

    static Bits encode(double value) {
        if constexpr (sizeof(Bits) == 8) {
            Bits bits;
            std::memcpy(&bits, &value, 8);
            return bits;
        } else if constexpr (sizeof(Bits) == 4) {
            float narrow = float(value);
            Bits bits;
            std::memcpy(&bits, &narrow, 4);
            return bits;
        } else {
            constexpr unsigned kInfinity = ((1u << ExponentBits) - 1) << MantissaBits;
            unsigned sign = std::signbit(value) ? 1u << (MantissaBits + ExponentBits) : 0;
            double magnitude = std::fabs(value);
            if (std::isnan(value)) { return Bits(sign | kInfinity | 1u << (MantissaBits - 1)); }
            if (std::isinf(value)) { return Bits(sign | kInfinity); }
            double quantum = ulp(magnitude);
            double steps = std::nearbyint(magnitude / quantum);  // exact: quantum is a power of two
            int exponent = std::ilogb(quantum) + kMantissa;      // steps counts from 2^exponent, or from 0 if denormal
            // In units of the last place the bits of consecutive numbers are consecutive integers, so a carry out of
            // the mantissa runs into the exponent by itself, and out of the largest finite number into infinity.
            double bits = steps + double(exponent - kMinExponent) * std::ldexp(1.0, kMantissa);
            return Bits(sign | unsigned(std::min(bits, double(kInfinity))));
        }
    }
};

using F32 = FloatFormat<uint32_t, 23, 8>;
using F64 = FloatFormat<uint64_t, 52, 11>;
using F16 = FloatFormat<uint16_t, 10, 5>;
using BF16 = FloatFormat<uint16_t, 7, 8>;

template <class T>
constexpr DType dtype_of() {
    if constexpr (std::is_same_v<T, float>) {
        return DType::f32;
    } else if constexpr (std::is_same_v<T, double>) {
        return DType::f64;
    } else if constexpr (std::is_same_v<T, __half>) {
        return DType::f16;
    } else {
        static_assert(std::is_same_v<T, __nv_bfloat16>, "a problem's dtypes are float, double, half and bf16");
        return DType::bf16;
    }
}

// Calls f with an object of the format's type, so that loops over elements are compiled once for each format.
template <class F>
auto with_format(DType dtype, F f) {
    switch (dtype) {
        case DType::f32:
            return f(F32{});
        case DType::f64:
            return f(F64{});
        case DType::f16:
            return f(F16{});
        case DType::bf16:
            return f(BF16{});
    }
    throw std::logic_error("unknown dtype");
}

inline const char* dtype_name(DType dtype) {
    constexpr const char* kNames[] = {"f32", "f64", "f16", "bf16"};
    return kNames[int(dtype)];
}

inline size_t dtype_size(DType dtype) {
    return with_format(dtype, [](auto format) { return sizeof(typename decltype(format)::Bits); });
}

inline double decode(DType dtype, const void* array, size_t index) {
    return with_format(dtype, [&](auto format) {
        using Format = decltype(format);
        return Format::decode(static_cast<const typename Format::Bits*>(array)[index]);
    });
}

}  // namespace brrr
