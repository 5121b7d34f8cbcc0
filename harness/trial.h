// One version at one block size on one case: launches it, several times where that can tell more, and finds out what is
// wrong and why.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "case.h"

namespace brrr {

// How much of the check is done.
struct Depth {
    bool inputs = true;   // are they unchanged?
    bool causes = true;   // of a wrong result, are they looked for?
    bool again = true;    // a second launch from other poison and other bands: the same bits?
    int repeats = 0;      // further launches from the same start: the same bits?
    bool behind = false;  // behind other work in the stream (on a GPU): the same bits?
};

struct Outcome {
    Comparison comparison;  // of the first wrong output, else of the one with the largest error
    size_t buffer = 0;
    std::vector<std::string> causes;  // what was found besides, or is known of why it is wrong

    bool ok() const { return comparison.ok() && causes.empty(); }
};

// Results of earlier cases of one version, to recognise one that comes back.
class History {
  public:
    // seed tells the cases apart.
    void keep(uint64_t seed, const char* bits, size_t bytes) {
        if (bytes > size_t(1) << 20 || (!kept_.empty() && kept_.back().seed == seed) || kept_.size() == 100) { return; }
        kept_.push_back({seed, std::vector<char>(bits, bits + bytes)});
    }
    bool holds(uint64_t seed, const char* bits, size_t bytes) const {
        for (const Kept& kept : kept_) {
            size_t common = std::min(bytes, kept.bits.size());
            if (kept.seed != seed && common >= 12 && std::memcmp(bits, kept.bits.data(), common) == 0) { return true; }
        }
        return false;
    }

  private:
    struct Kept {
        uint64_t seed;
        std::vector<char> bits;
    };
    std::vector<Kept> kept_;
};

// Keeps the stream busy for a while.
static __global__ void spin_kernel(long long cycles) {
    long long begin = clock64();
    while (clock64() - begin < cycles) {}
}

class Trial {
  public:
    Trial(const Case& at, const Version& version, int block, History& history)
        : at_(at), arrays_(at.arrays()), version_(version), block_(block), history_(history) {}

    // Starts the version, as the timing does.
    void launch() const {
        version_.launch(arrays_.pointers(), block_);
        ask(cudaGetLastError(), "its launch");
    }

    Outcome run(const Depth& depth) {
        const Bytes first = bytes(kPoison, kHighBand);
        run_once(first, 0);
        Outcome outcome = compare(0);
        add_damage(outcome, first, 0);
        if (depth.inputs) { add_changed_inputs(outcome); }
        std::string differs;
        for (int band : {kLowBand, kPoison}) {  // very small numbers and NaN, where it was very large ones
            if (!outcome.ok() || !depth.again || !differs.empty()) { break; }
            Bytes other = bytes(kOtherPoison, band);
            run_once(other, 1);
            add_damage(outcome, other, 1);
            differs = difference("a further launch");
        }
        for (int i = 0; i < depth.repeats && outcome.ok() && differs.empty(); i++) {
            run_once(first, 1);
            differs = difference("run " + std::to_string(i + 2) + " of " + std::to_string(depth.repeats + 1));
        }
        recognise(outcome);
        if ((!outcome.ok() || !differs.empty()) && depth.causes) {
            find_causes(outcome, first);
            if (outcome.ok()) { outcome.causes.push_back("the same input gives different results: " + differs); }
        } else if (depth.behind && !kOnCpu) {
            look_at_streams(outcome, first);
        }
        if (outcome.ok()) { keep(); }
        return outcome;
    }

    // Around a launch that somebody else times: poison before, compare after.
    void before_sample() { prepare(bytes(kPoison, kHighBand)); }
    Outcome after_sample() {
        ask(cudaDeviceSynchronize(), "running it");
        download(0);
        Outcome outcome = compare(0);
        add_damage(outcome, bytes(kPoison, kHighBand), 0);
        return outcome;
    }

    double got(size_t buffer, size_t i) const {  // in the first launch
        return decode(at_.buffers()[buffer].dtype, array(0, buffer), i);
    }

  private:
    // By buffer: what outputs and scratch are filled with, bands included, and what the bands of inputs are. They
    // differ, so that a copy of the one band to the other shows.
    using Bytes = std::vector<int>;

    Bytes bytes(int outputs, int input_bands) const {
        Bytes bytes;
        for (const Buffer& buffer : at_.buffers()) { bytes.push_back(buffer.made() ? input_bands : outputs); }
        return bytes;
    }
    const std::vector<Buffer>& buffers() const { return at_.buffers(); }
    const char* array(int copy, size_t b) const { return arrays_.copy(copy, b) + GuardedArray::kBand; }

    void ask(cudaError_t error, const char* when) const {
        if (error == cudaSuccess) { return; }
        throw MachineError("version " + std::to_string(version_.id) +
                           (block_ > 0 ? " at block size " + std::to_string(block_) : "") + ", " + at_.place() +
                           ": CUDA error " + cudaGetErrorName(error) + " (" + cudaGetErrorString(error) + ") from " +
                           when);
    }

    void prepare(const Bytes& bytes) const {
        for (size_t b = 0; b < buffers().size(); b++) {
            Role role = buffers()[b].role;
            if (role == Role::output || role == Role::scratch) { arrays_[b].fill(bytes[b]); }
            if (role == Role::input || role == Role::inout) { arrays_[b].fill_bands(bytes[b]); }
            if (role == Role::inout) { arrays_[b].upload(at_.bits(b)); }
        }
    }
    void download(int copy) const {
        for (size_t b = 0; b < buffers().size(); b++) {
            if (buffers()[b].compared()) { arrays_[b].download(arrays_.copy(copy, b)); }
        }
    }
    void run_once(const Bytes& bytes, int copy) const {
        prepare(bytes);
        launch();
        ask(cudaDeviceSynchronize(), "running it");
        download(copy);
    }

    Outcome compare(int copy) const {
        Outcome outcome;
        for (size_t b = 0; b < buffers().size(); b++) {
            if (!buffers()[b].compared()) { continue; }
            Comparison comparison = at_.compare(b, array(copy, b));
            bool first = outcome.comparison.elements == 0;
            if (first || !comparison.ok() || comparison.worst_of_bound > outcome.comparison.worst_of_bound) {
                outcome.comparison = comparison, outcome.buffer = b;
            }
            if (!comparison.ok()) { break; }
        }
        return outcome;
    }

    void add_damage(Outcome& outcome, const Bytes& bytes, int copy) const {
        for (size_t b = 0; b < buffers().size(); b++) {
            if (buffers()[b].role == Role::point) { continue; }
            std::string damage;
            size_t width = dtype_size(buffers()[b].dtype);
            if (buffers()[b].compared()) {
                const char* host = arrays_.copy(copy, b);
                damage = band_damage(host, host + GuardedArray::kBand + buffers()[b].bytes(), bytes[b], width);
            } else {
                char bands[2 * GuardedArray::kBand];
                arrays_[b].download_bands(bands);
                damage = band_damage(bands, bands + GuardedArray::kBand, bytes[b], width);
            }
            if (!damage.empty()) { outcome.causes.push_back("writes outside of " + buffers()[b].name + ", " + damage); }
        }
    }

    void add_changed_inputs(Outcome& outcome) const {
        for (size_t b = 0; b < buffers().size(); b++) {
            const Buffer& buffer = buffers()[b];
            if (buffer.role != Role::input) { continue; }
            arrays_[b].download(arrays_.copy(1, b));
            if (std::memcmp(array(1, b), at_.bits(b), buffer.bytes()) == 0) { continue; }
            size_t width = dtype_size(buffer.dtype), i = 0;
            while (std::memcmp(array(1, b) + i * width, at_.bits(b) + i * width, width) == 0) { i++; }
            outcome.causes.push_back("changes its input " + buffer.name + ": [" + index_text(buffer.shape, i) +
                                     "] was " + Case::number(decode(buffer.dtype, at_.bits(b), i)) + " and is " +
                                     Case::number(decode(buffer.dtype, array(1, b), i)));
            arrays_[b].upload(at_.bits(b));  // for those who come next
        }
    }

    // Behind a busy kernel, with poison in the stream before the launch and after it: work that does not wait for the
    // stream is wiped out by the one, and work that the stream does not wait for shows in the other.
    void look_at_streams(Outcome& outcome, const Bytes& first) {
        for (int attempt = 0; attempt < 5 && outcome.ok(); attempt++) {
            spin_kernel<<<1, 1>>>(400000);  // about 0.2 ms, for the host to queue the rest
            run_once(first, 1);
            std::string early = difference("a launch behind a busy kernel");
            if (!early.empty()) {
                outcome.causes.push_back("its work is not in the stream that it was launched in: " + early);
                return;
            }
            spin_kernel<<<1, 1>>>(400000);
            prepare(first);
            launch();
            for (size_t b = 0; b < buffers().size(); b++) {
                if (buffers()[b].compared()) { arrays_[b].fill(kOtherPoison); }
            }
            ask(cudaDeviceSynchronize(), "running it");
            download(1);
            for (size_t b = 0; b < buffers().size(); b++) {
                if (!buffers()[b].compared() || element_is(array(1, b), buffers()[b].bytes(), kOtherPoison)) {
                    continue;
                }
                outcome.causes.push_back("its work is not in the stream that it was launched in: it still writes " +
                                         buffers()[b].name + " when the stream is done");
                return;
            }
        }
    }

    // Where the two copies of an output differ, as "<who> differs at out[17]", or nothing. Of versions whose order is
    // free, both must be right instead, which compare() says.
    std::string difference(const std::string& who) const {
        if (version_.any_order) {
            Outcome again = compare(1);
            return again.ok() ? "" : who + " is wrong at " + name(again.buffer, again.comparison.first);
        }
        for (size_t b = 0; b < buffers().size(); b++) {
            if (!buffers()[b].compared() || std::memcmp(array(0, b), array(1, b), buffers()[b].bytes()) == 0) {
                continue;
            }
            size_t width = dtype_size(buffers()[b].dtype), i = 0;
            while (std::memcmp(array(0, b) + i * width, array(1, b) + i * width, width) == 0) { i++; }
            return who + " differs at " + name(b, i);
        }
        return "";
    }
    std::string name(size_t b, size_t i) const {
        return buffers()[b].name + "[" + index_text(buffers()[b].shape, i) + "]";
    }

    // Changes one thing at a time, to see on what the result depends.
    void find_causes(Outcome& outcome, const Bytes& first) {
        auto& causes = outcome.causes;
        auto again = [&] {  // does the very same launch give something else?
            run_once(first, 1);
            std::string differs = version_.any_order ? "" : difference("a second run");
            if (!differs.empty()) { causes.push_back("the same input gives different results: " + differs); }
            return !differs.empty();
        };
        if (again()) { return; }
        for (size_t b = 0; b < buffers().size(); b++) {
            if (buffers()[b].role == Role::point) { continue; }
            const std::string& name = buffers()[b].name;
            const bool is_output = buffers()[b].role == Role::output, is_made = buffers()[b].made();
            for (int byte : is_made ? std::vector<int>{kLowBand, kPoison} : std::vector<int>{kOtherPoison}) {
                Bytes changed = first;
                changed[b] = byte;
                run_once(changed, 1);
                if (is_output && outcome.buffer == b) { outcome.comparison.unwritten = still_poisoned(b); }
                bool depends = is_output ? differs_where_written(b) : !difference("").empty();
                if (!depends) { continue; }
                if (again()) { return; }
                causes.push_back(is_made
                                     ? "the result depends on what lies outside of " + name + ": it reads past an end"
                                     : "the result depends on what was in " + name + " before");
                break;
            }
        }
    }

    bool element_is(const char* bits, size_t width, int byte) const {
        for (size_t k = 0; k < width; k++) {
            if (bits[k] != char(byte)) { return false; }
        }
        return true;
    }
    // Elements of an output that hold the one poison after the one launch and the other after the other.
    size_t still_poisoned(size_t b) const {
        size_t count = 0, width = dtype_size(buffers()[b].dtype);
        for (size_t i = 0; i < buffers()[b].elements(); i++) {
            count += element_is(array(0, b) + i * width, width, kPoison) &&
                     element_is(array(1, b) + i * width, width, kOtherPoison);
        }
        return count;
    }
    bool differs_where_written(size_t b) const {
        size_t width = dtype_size(buffers()[b].dtype);
        for (size_t i = 0; i < buffers()[b].elements(); i++) {
            const char *one = array(0, b) + i * width, *two = array(1, b) + i * width;
            bool unwritten = element_is(one, width, kPoison) && element_is(two, width, kOtherPoison);
            if (!unwritten && std::memcmp(one, two, width) != 0) { return true; }
        }
        return false;
    }

    // Results that look like something known: an earlier one, a constant, a lower precision.
    void recognise(Outcome& outcome) const {
        size_t b = outcome.buffer, n = buffers()[b].elements();
        const Buffer& buffer = buffers()[b];
        if (outcome.comparison.ok()) { return; }
        if (history_.holds(at_.seed(), array(0, b), buffer.bytes())) {
            outcome.causes.push_back("this is the result of an earlier call with other data");
        }
        size_t width = dtype_size(buffer.dtype), same = 0;
        while (same < n && std::memcmp(array(0, b), array(0, b) + same * width, width) == 0) { same++; }
        double first = decode(buffer.dtype, array(0, b), 0);
        if (same == n && n >= 7 && !std::isnan(first)) {
            outcome.causes.push_back("the same value everywhere: " + Case::number(first));
            return;
        }
        for (int bits : {24, 11, 8}) {
            double digits = with_format(buffer.dtype, [](auto format) { return format.kMantissa + 1; });
            if (bits >= digits || n < 7 || !rounded_to(b, bits)) { continue; }
            outcome.causes.push_back("consistent with calculating in " + std::to_string(bits) + " bits, as " +
                                     (bits == 24   ? "f32"
                                      : bits == 11 ? "f16"
                                                   : "bf16") +
                                     " does");
            break;
        }
    }
    // Are all errors of the size, and of both signs, that rounding to so many bits makes?
    bool rounded_to(size_t b, int bits) const {
        size_t wrong = 0, above = 0, n = buffers()[b].elements();
        double absolute = bits == 11 ? 0x1p-23 : 1e-30;  // a half below 2^-14 has fewer bits
        for (size_t i = 0; i < n; i++) {
            double value = decode(buffers()[b].dtype, array(0, b), i), due = at_.expected(b, i);
            if (value == due || (std::isnan(value) && std::isnan(due))) { continue; }
            if (!(std::fabs(value - due) <= std::fabs(due) * std::ldexp(1.0, -bits + 1) + absolute)) { return false; }
            wrong++, above += std::fabs(value) > std::fabs(due);
        }
        return wrong >= 4 && above * 5 > wrong && above * 5 < wrong * 4;
    }

    void keep() {
        for (size_t b = 0; b < buffers().size(); b++) {
            if (buffers()[b].compared()) { history_.keep(at_.seed(), array(0, b), buffers()[b].bytes()); }
        }
    }

    const Case& at_;
    Arrays& arrays_;
    const Version& version_;
    int block_;
    History& history_;
};

}  // namespace brrr
