// Compares an output with the float64 reference, element by element, and describes what is wrong with it.
#pragma once

#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "parallel.h"
#include "problem.h"

namespace brrr {

struct Comparison {
    size_t elements = 0;
    size_t wrong = 0;
    size_t unwritten = 0, nan = 0, infinite = 0;  // of the wrong ones: still poisoned; so where a number is due
    size_t first = 0, last = 0;                   // wrong elements
    size_t stride = 0;                            // greatest common divisor of the distances between wrong elements
    double worst_ulp = 0, worst_abs = 0;          // of the element with the most ulps, where both sides are finite
    size_t worst = 0;                             // its index
    double worst_of_bound = 0;                    // the largest error over its element's bound
    std::array<size_t, 256> histogram{};          // of the errors in ulps; bins are quarters of an octave from 2^-12

    // The error in ulps that 99.9 % of the elements do not exceed, rounded up to a bin's end.
    double ulp_999() const {
        size_t above = elements / 1000, seen = 0;
        for (size_t bin = histogram.size(); bin-- > 1;) {
            if ((seen += histogram[bin]) > above) { return std::min(worst_ulp, bin_end(bin)); }
        }
        return std::min(worst_ulp, bin_end(0));
    }
    static size_t bin_of(double ulps) {
        uint64_t bits;
        std::memcpy(&bits, &ulps, 8);  // exponent and two bits of mantissa, as one number
        return size_t(std::clamp<int64_t>(int64_t(bits >> 50) - ((1023 - 12) << 2), 0, 255));
    }
    static double bin_end(size_t bin) { return std::ldexp(1 + double(bin % 4 + 1) / 4, int(bin / 4) - 12); }

    bool ok() const { return wrong == 0; }

    void add_wrong(size_t i) {
        if (wrong++ == 0) {
            first = i;
        } else {
            stride = std::gcd(stride, i - last);
        }
        last = i;
    }
    void merge(const Comparison& next) {  // next covers higher indexes
        if (next.wrong > 0) {
            stride = wrong > 0 ? std::gcd(std::gcd(stride, next.stride), next.first - last) : next.stride;
            first = wrong > 0 ? first : next.first;
            last = next.last;
        }
        if (next.worst_ulp > worst_ulp) { worst_ulp = next.worst_ulp, worst_abs = next.worst_abs, worst = next.worst; }
        worst_of_bound = std::max(worst_of_bound, next.worst_of_bound);
        elements += next.elements, wrong += next.wrong;
        unwritten += next.unwritten, nan += next.nan, infinite += next.infinite;
        for (size_t bin = 0; bin < histogram.size(); bin++) { histogram[bin] += next.histogram[bin]; }
    }
};

// One element: is it right, and by how many ulps is it off? The comparisons are written so that NaN fails them.
struct Verdict {
    bool right;
    double ulps = 0, distance = 0, of_bound = 0;
};

template <class Format>
Verdict judge(double got, double expected, double magnitude, const Tolerance& tolerance) {
    if (std::isnan(expected) || std::isnan(got)) { return {std::isnan(expected) && std::isnan(got)}; }
    double limit = Format::largest() + Format::ulp(Format::largest()) / 2;  // from here on a value rounds to infinity
    if (std::isinf(got) || std::isinf(expected)) {
        if (got == expected) { return {true}; }
        // One side overflowed: right only if the true value is so close to the limit that its error explains it.
        bool near_limit = std::fabs(std::fabs(expected) - limit) <= tolerance.ulps * Format::ulp(limit);
        bool rounds_to_infinity = std::fabs(expected) >= limit;
        bool same_sign = std::signbit(got) == std::signbit(expected);
        return {same_sign && std::isinf(got) && (rounds_to_infinity || near_limit)};
    }
    double distance = std::fabs(got - expected);
    double ulp = Format::ulp(std::min(std::fabs(expected), Format::largest()));
    double excess = std::max(0.0, distance - tolerance.flush);
    double bound = tolerance.ulps * ulp + tolerance.sum * magnitude;
    return {excess <= bound, excess / ulp, distance, excess / bound};
}

// magnitude may be null: then it is the expected value's. The arrays have n elements.
template <class Format>
Comparison compare_format(const typename Format::Bits* got, const double* expected, const double* magnitude, size_t n,
                          Tolerance tolerance) {
    std::vector<Comparison> parts(std::max(1u, std::thread::hardware_concurrency()));
    parallel_ranges(n, [&](size_t begin, size_t end, size_t part) {
        Comparison mine;
        mine.elements = end - begin;
        for (size_t i = begin; i < end; i++) {
            double value = Format::decode(got[i]);
            bool poisoned = got[i] == typename Format::Bits(-1);
            double size = magnitude ? magnitude[i] : std::fabs(expected[i]);
            Verdict verdict = judge<Format>(value, expected[i], size, tolerance);
            if (!verdict.right || poisoned) {
                mine.add_wrong(i);
                mine.unwritten += poisoned;
                mine.nan += !poisoned && std::isnan(value);
                mine.infinite += std::isinf(value) && std::isfinite(expected[i]);
            }
            if (verdict.ulps > mine.worst_ulp) {
                mine.worst_ulp = verdict.ulps, mine.worst_abs = verdict.distance, mine.worst = i;
            }
            mine.worst_of_bound = std::max(mine.worst_of_bound, verdict.of_bound);
            mine.histogram[Comparison::bin_of(verdict.ulps)]++;
        }
        parts[part] = mine;
    });
    Comparison all;
    for (const Comparison& part : parts) { all.merge(part); }
    return all;
}

inline Comparison compare(DType dtype, const void* got, const double* expected, const double* magnitude, size_t n,
                          Tolerance tolerance) {
    return with_format(dtype, [&](auto format) {
        using Format = decltype(format);
        return compare_format<Format>(static_cast<const typename Format::Bits*>(got), expected, magnitude, n,
                                      tolerance);
    });
}

// "17", or "3, 5" for row 3, column 5.
inline std::string index_text(const Shape& shape, size_t index) {
    std::string text;
    for (size_t d = shape.sizes.size(); d-- > 0; index /= shape.sizes[d]) {
        text = std::to_string(index % shape.sizes[d]) + (text.empty() ? "" : ", ") + text;
    }
    return text;
}

// Which elements are wrong, in the words that point at a cause.
inline std::string pattern(const Comparison& c, const Shape& shape, int block) {
    auto at = [&](size_t i) { return "[" + index_text(shape, i) + "]"; };
    size_t columns = shape.sizes.back(), n = c.elements;
    // Some wrong elements are right by chance, so nine in ten make a pattern.
    auto nearly = [&](size_t full) { return c.wrong * 10 >= full * 9; };
    size_t span = c.last - c.first + 1, multiples = c.stride > 0 ? (c.last - c.first) / c.stride + 1 : 0;
    bool dense = nearly(span), regular = c.wrong > 2 && c.stride > 1 && nearly(multiples);
    std::string all = c.wrong == span ? "all " : "nearly all ";
    size_t last_block = block > 0 ? (n - 1) / block * block : n;
    if (nearly(n)) { return c.wrong == n ? "every element" : "nearly every element"; }
    if (c.wrong == 1) {
        return c.first == 0 ? "the first element" : c.first == n - 1 ? "the last element" : "one element";
    }
    if (shape.sizes.size() > 1 && c.first / columns == c.last / columns) {
        return "all in row " + std::to_string(c.first / columns) +
               (c.first / columns == n / columns - 1 ? ", the last" : "");
    }
    if (shape.sizes.size() > 1 && columns > 1 && c.stride % columns == 0) {
        size_t column = c.first % columns;
        return "all in column " + std::to_string(column) + (column == columns - 1 ? ", the last" : "");
    }
    if (dense && c.first >= last_block) { return all + "in the last block of " + std::to_string(block); }
    if (dense && c.last == n - 1) { return all + "from " + at(c.first) + " to the end"; }
    if (dense && c.first == 0) { return all + "up to " + at(c.last); }
    if (dense) { return all + "from " + at(c.first) + " to " + at(c.last); }
    if (regular) {
        const char* ordinal = c.stride == 2 ? "nd" : c.stride == 3 ? "rd" : "th";
        return (c.wrong == multiples ? "every " : "nearly every ") + std::to_string(c.stride) + ordinal + " from " +
               at(c.first);
    }
    return "scattered from " + at(c.first) + " to " + at(c.last);
}

}  // namespace brrr
