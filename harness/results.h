// What a run found out: filled by main, read by the report and the JSON and CSV writers.
#pragma once

#include <string>
#include <vector>

#include "device.h"
#include "problem.h"
#include "timing.h"

namespace brrr {

// A version timed at one block size (0: it has none).
struct Row {
    int block = 0;
    Timing timing;
    double gbps = 0, of_copy = 0, tflops = 0;
    KernelFacts facts;  // of the version's kernel with the most registers
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
    double worst_gradient = 0;         // of --gradcheck, over its tolerance
    std::vector<std::string> failure;  // the first wrong result, at the smallest size, as lines of text
    std::string failure_at_larger;     // which elements are wrong at the largest size: small ones show no pattern
    std::vector<int> wrong_blocks;
    std::vector<Row> rows;

    bool wrong() const { return !failure.empty(); }
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
    std::string error;  // what ended the run early

    bool any_wrong() const {
        for (const VersionResult& version : versions) {
            if (version.wrong()) { return true; }
        }
        return false;
    }
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
