// One size of a problem with its data: the inputs, on the host and on the device, and the reference's answer.
#pragma once

#include <memory>
#include <vector>

#include "arrays.h"
#include "compare.h"
#include "input.h"
#include "problem.h"

namespace brrr {

class Case {
  public:
    // Makes the inputs and runs the reference on them, as rounded to their dtypes, in float64. The arrays are shared by
    // all cases, of which only the latest is valid.
    Case(Definition definition, uint64_t seed, Values values, Arrays& arrays)
        : definition_(std::move(definition)), seed_(seed), values_(values), arrays_(arrays) {
        for (size_t b = 0; b < buffers().size(); b++) {
            const Buffer& buffer = buffers()[b];
            arrays_[b].set_bytes(buffer.role == Role::point ? 0 : buffer.bytes());
            bits_.emplace_back(buffer.made() ? new char[buffer.bytes()] : nullptr);
        }
        expected_ = run_reference(definition_.reference, 0);
        if (definition_.magnitude) { magnitude_ = run_reference(definition_.magnitude, 0); }
        for (size_t b = 0; b < buffers().size(); b++) {
            if (bits_[b]) { arrays_[b].upload(bits_[b].get()); }
        }
        cudaCheck(cudaDeviceSynchronize());
    }
    Case(const Case&) = delete;
    Case& operator=(const Case&) = delete;

    const Definition& definition() const { return definition_; }
    const std::vector<Buffer>& buffers() const { return definition_.buffers; }
    Values values() const { return values_; }
    Arrays& arrays() const { return arrays_; }
    const char* bits(size_t buffer) const { return bits_[buffer].get(); }  // an input, as the device got it
    double expected(size_t buffer, size_t i) const { return expected_[buffer][i]; }
    uint64_t seed() const { return seed_; }
    size_t elements() const {  // of the largest output
        size_t most = 0;
        for (const Buffer& buffer : buffers()) {
            if (buffer.compared()) { most = std::max(most, buffer.elements()); }
        }
        return most;
    }
    std::string place() const { return to_string(definition_.dims) + values_text(values_); }

    // A downloaded output against the reference.
    Comparison compare(size_t b, const void* got) const {
        Tolerance tolerance = definition_.tolerance(buffers()[b].dtype);
        // The errors of adding one value again and again all point the same way: they add up, and do not cancel as the
        // square root in the bound supposes.
        if (values_ == Values::equal) { tolerance.sum *= std::max(1.0, std::sqrt(definition_.terms) / 4); }
        return brrr::compare(buffers()[b].dtype, got, expected_[b].get(),
                             magnitude_.empty() ? nullptr : magnitude_[b].get(), buffers()[b].elements(), tolerance);
    }

    // What makes this case no test, or nothing. A bound that the reference itself meets when it is calculated with half
    // the digits; an output that is nearly the same everywhere, so that a constant would pass.
    std::string too_loose() const {
        if (!magnitude_.empty()) { return ""; }
        for (size_t b = 0; b < buffers().size(); b++) {
            if (!buffers()[b].compared()) { continue; }
            int bits = lower_precision(buffers()[b].dtype);
            HostArrays lower = run_reference(definition_.reference, bits);
            bool rejected = with_format(buffers()[b].dtype, [&](auto format) {
                using Format = decltype(format);
                size_t wrong = 0;
                for (size_t i = 0; i < buffers()[b].elements(); i++) {
                    double value = Format::decode(Format::encode(round_to_bits(lower[b][i], bits)));
                    Tolerance tolerance = definition_.tolerance(buffers()[b].dtype);
                    wrong += !judge<Format>(value, expected_[b][i], std::fabs(expected_[b][i]), tolerance).right;
                }
                return wrong > 0;
            });
            if (!rejected) {
                char text[128];
                std::snprintf(text, sizeof text,
                              "the bound of %g ulp is too loose: the reference calculated in %d bits passes it",
                              definition_.tolerance(buffers()[b].dtype).ulps, bits);
                return text;
            }
        }
        return "";
    }
    std::string too_uniform() const {
        for (size_t b = 0; b < buffers().size(); b++) {
            if (!buffers()[b].compared() || buffers()[b].elements() < 100) { continue; }
            std::vector<double> sorted(expected_[b].get(), expected_[b].get() + buffers()[b].elements());
            std::sort(sorted.begin(), sorted.end());
            size_t longest = 0, run = 0;
            double common = sorted[0];
            for (size_t i = 0; i < sorted.size(); i++) {
                run = i > 0 && sorted[i] == sorted[i - 1] ? run + 1 : 1;
                if (run > longest) { longest = run, common = sorted[i]; }
            }
            if (longest * 10 < sorted.size() * 9) { continue; }
            return "too little variety: " + std::to_string(100 * longest / sorted.size()) + " % of " +
                   buffers()[b].name + " is " + number(common) +
                   ", so that a constant would pass; give the inputs another distribution";
        }
        return "";
    }

    // The inputs at the place of an output's element, where they have the same shape, for a message.
    std::string inputs_at(size_t output, size_t i) const {
        std::string text;
        for (size_t b = 0; b < bits_.size(); b++) {
            const Buffer& buffer = buffers()[b];
            if (!bits_[b] || buffer.shape.sizes != buffers()[output].shape.sizes) { continue; }
            text += (text.empty() ? "" : ", ") + buffer.name + " = " + number(decode(buffer.dtype, bits_[b].get(), i));
        }
        return text;
    }

    // As many digits as tell float32 values apart.
    static std::string number(double value) {
        if (std::isnan(value)) { return "nan"; }
        char text[32];
        std::snprintf(text, sizeof text, "%.9g", value);
        return text;
    }
    // The significant bits of the next lower precision: of float for double, of half for float, ...
    static int lower_precision(DType dtype) {
        constexpr int kBits[] = {11, 24, 8, 4};  // f32, f64, f16, bf16
        return kBits[int(dtype)];
    }

  private:
    using HostArrays = std::vector<std::unique_ptr<double[]>>;

    static double round_to_bits(double value, int bits) {
        if (value == 0 || !std::isfinite(value)) { return value; }
        double quantum = std::ldexp(1.0, std::ilogb(value) + 1 - bits);
        return std::nearbyint(value / quantum) * quantum;
    }

    // Calls it on float64 arrays and returns what it wrote. lower_bits > 0: from inputs rounded to so many bits.
    HostArrays run_reference(const std::function<void(Pointers)>& reference, int lower_bits) const {
        HostArrays arrays;
        std::vector<void*> pointers;
        uint32_t inputs = 0, ordinal = 0;
        for (const Buffer& buffer : buffers()) { inputs += buffer.made(); }
        for (size_t b = 0; b < buffers().size(); b++) {
            const Buffer& buffer = buffers()[b];
            arrays.emplace_back(buffer.role == Role::scratch ? nullptr : new double[buffer.elements()]);
            pointers.push_back(arrays.back().get());
            if (!buffer.made()) { continue; }
            fill_input(buffer, {uint32_t(b), ordinal++, inputs}, seed_, values_, bits_[b].get(), arrays[b].get());
            for (size_t i = 0; lower_bits > 0 && i < buffer.elements(); i++) {
                arrays[b][i] = round_to_bits(arrays[b][i], lower_bits);
            }
        }
        reference(pointers.data());
        for (size_t b = 0; b < buffers().size(); b++) {
            if (!buffers()[b].compared()) { arrays[b].reset(); }  // 8 bytes an element, no longer needed
        }
        return arrays;
    }

    Definition definition_;
    uint64_t seed_;
    Values values_;
    Arrays& arrays_;
    std::vector<std::unique_ptr<char[]>> bits_;
    HostArrays expected_, magnitude_;
};

}  // namespace brrr
