// What a run found out: filled by main, read by the report and the JSON and CSV writers.
#pragma once

#include <string>
#include <vector>

#include "device.h"
#include "problem.h"
#include "timing.h"
#include "trial.h"

namespace brrr {

// A version timed at one block size (0: it has none).
struct Row {
    int block = 0;
    Timing timing;
    double gbps = 0, of_copy = 0, tflops = 0;
    bool impossible = false;  // faster than the device can be
    KernelFacts facts;        // of the version's kernel with the most registers
};

// Which of a version's wrong results: the least is described, at the smallest size, block size and with plainest
// values.
struct FailureKey {
    size_t elements = 0;
    int block = 0;
    Values values = Values::plain;

    std::tuple<size_t, int, int> order() const { return {elements, block, int(values)}; }
};

struct VersionResult {
    int id = 0;
    std::string description;
    bool baseline = false;
    std::string skipped;             // why it was not run
    std::vector<int> blocks;         // at which it runs; {0} for a baseline
    std::vector<std::string> notes;  // block sizes that were left out, and why
    size_t comparisons = 0;          // launches whose output was compared
    double worst_ulp = 0, worst_abs = 0;
    std::string worst_where;           // "out[12], N=1021"
    double ulp_999 = 0;                // 99.9 % of the timed size's elements are within
    double worst_of_bound = 0;         // the largest error over its bound
    double worst_gradient = 0;         // of --gradcheck, over its tolerance
    std::vector<std::string> failure;  // the wrong result at the smallest size, as lines of text
    FailureKey failure_key;            // of that result
    std::string larger_failure;        // which elements are wrong at the largest size: small ones show no pattern
    size_t larger_elements = 0;
    std::vector<std::string> larger_causes;  // what is known of it there
    History history;
    std::vector<int> wrong_blocks;
    std::vector<Row> rows;

    // All that is to say of what is wrong.
    std::vector<std::string> failure_lines() const {
        std::vector<std::string> lines = failure;
        if (larger_elements > failure_key.elements) {
            lines.push_back(larger_failure);
            for (const std::string& cause : larger_causes) {
                if (!contains(lines, cause)) { lines.push_back(cause); }
            }
        }
        if (wrong_blocks.size() > 1) {
            std::vector<int> sorted = wrong_blocks;
            std::sort(sorted.begin(), sorted.end());
            std::string list;
            for (int block : sorted) { list += (list.empty() ? "" : ", ") + std::to_string(block); }
            lines.push_back("wrong at block sizes " + list);
        }
        return lines;
    }
    bool wrong() const { return !failure.empty(); }
    // Is a wrong result to be described rather than the one that is?
    bool describes(const FailureKey& key) const { return failure.empty() || key.order() < failure_key.order(); }
    bool checked() const { return comparisons > 0 && !wrong(); }
    const Row* best() const {
        const Row* best = nullptr;
        for (const Row& row : rows) {
            if (!best || row.timing.median_us < best->timing.median_us) { best = &row; }
        }
        return best;
    }
};

struct Results {
    std::string name;
    Dims dims;
    DType dtype = DType::f32;
    uint64_t seed = 0;
    Device device;
    double bytes = 0, flops = 0, bound_ulps = 0, copy_gbps = 0;
    std::vector<VersionResult> versions;
    std::string weakness;               // why the check itself is worth little
    double check_s = 0, prepare_s = 0;  // of the whole check; of that, making inputs and running the reference
    std::string error;                  // what ended the run early

    bool any_wrong() const {
        for (const VersionResult& version : versions) {
            if (version.wrong()) { return true; }
        }
        return false;
    }
    bool any_impossible() const {
        for (const VersionResult& version : versions) {
            for (const Row& row : version.rows) {
                if (row.impossible) { return true; }
            }
        }
        return false;
    }
    bool failed() const { return any_wrong() || any_impossible() || !weakness.empty(); }
    const VersionResult* find(bool (*which)(const VersionResult&)) const {
        for (const VersionResult& version : versions) {
            if (which(version) && version.best()) { return &version; }
        }
        return nullptr;
    }
    // Versions that have a time, the fastest first.
    std::vector<const VersionResult*> ranking() const {
        std::vector<const VersionResult*> ranked;
        for (const VersionResult& version : versions) {
            if (version.best()) { ranked.push_back(&version); }
        }
        std::sort(ranked.begin(), ranked.end(), [](const VersionResult* a, const VersionResult* b) {
            return a->best()->timing.median_us < b->best()->timing.median_us;
        });
        return ranked;
    }
};

}  // namespace brrr
