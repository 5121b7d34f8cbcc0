// Makes the inputs: random values of a distribution, rounded to the dtype, in some cases with special values mixed in.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "parallel.h"
#include "problem.h"
#include "random.h"

namespace brrr {

// plain: the distribution alone. equal: one value everywhere. sorted: ascending. offset: 10000 more, where the domain
// allows it (a mean to subtract, digits to cancel). special: about one position in 8 holds a special value in one of
// the inputs (in one only: kernels built with --use_fast_math flush denormals, and a flushed denormal times the largest
// number is far off). extreme: finite and moderate values where functions saturate, for the gradient check.
enum class Values { plain, special, equal, sorted, offset, extreme };

// As it stands in messages behind the sizes.
inline const char* values_text(Values values) {
    constexpr const char* kTexts[] = {
        "", ", special values", ", all-equal values", ", sorted values", ", values around 10000", ", extreme points"};
    return kTexts[int(values)];
}

// The special values of a format that lie in the distribution's domain; NaN always does.
template <class Format>
std::vector<double> special_values(const Distribution& values, Values kind) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    std::vector<double> candidates, inside;
    if (kind == Values::extreme) {
        for (double x : {0.0, 1e-300, 1e-8, 1.0, 20.0, 40.0, 100.0, 710.0, 1000.0, 1e5}) {
            candidates.insert(candidates.end(), {x, -x});
        }
    } else {
        for (double x : {0.0, Format::denorm_min(), Format::smallest_normal() / 64, Format::smallest_normal(), 1.0, 1e5,
                         Format::largest(), inf}) {
            candidates.insert(candidates.end(), {x, -x});
        }
    }
    for (double x : candidates) {
        if (x >= values.domain_low && x <= values.domain_high) { inside.push_back(x); }
    }
    if (kind == Values::special) { inside.push_back(std::numeric_limits<double>::quiet_NaN()); }
    return inside;
}

// Which buffer of the definition an input is, and how many inputs there are: decides who gets a special value where.
struct InputIndex {
    uint32_t buffer, ordinal, inputs;
};

// Fills bits (the buffer's dtype) and exact (the same values in float64); either may be null.
inline void fill_input(const Buffer& buffer, InputIndex index, uint64_t seed, Values kind, void* bits, double* exact) {
    constexpr uint32_t kSpecialStream = 0xffffffff;
    with_format(buffer.dtype, [&](auto format) {
        using Format = decltype(format);
        auto* out = static_cast<typename Format::Bits*>(bits);
        const std::vector<double> specials = special_values<Format>(buffer.values, kind);
        const bool mixed = kind == Values::special || kind == Values::extreme;
        const bool shifted =
            kind == Values::offset && buffer.values.domain_low <= 1e4 && buffer.values.domain_high > 2e4;
        const double low = buffer.values.low + (shifted ? 1e4 : 0), width = buffer.values.high - buffer.values.low;
        auto value_at = [&](size_t i) {
            auto words = random_words(seed, index.buffer, i / 2);
            double unit = i % 2 == 0 ? unit_interval(words[0], words[1]) : unit_interval(words[2], words[3]);
            double value = std::fma(width, unit, low);  // fma everywhere, so that no compiler's choice changes it
            if (mixed) {
                auto dice = random_words(seed, kSpecialStream, i);
                bool here = dice[0] % 8 == 0 && (kind == Values::extreme || dice[1] % index.inputs == index.ordinal);
                if (here) { value = specials[dice[2] % specials.size()]; }
            }
            return value;
        };
        std::vector<double> ascending;
        if (kind == Values::sorted) {
            for (size_t i = 0; i < buffer.elements(); i++) { ascending.push_back(value_at(i)); }
            std::sort(ascending.begin(), ascending.end());
        }
        parallel_for(buffer.elements(), [&, out, exact](size_t i) {
            double value = kind == Values::sorted ? ascending[i] : value_at(kind == Values::equal ? 0 : i);
            auto rounded = Format::encode(value);
            if (out) { out[i] = rounded; }
            if (exact) { exact[i] = Format::decode(rounded); }
        });
    });
}

}  // namespace brrr
