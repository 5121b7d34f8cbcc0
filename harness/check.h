// Decides which versions run at which block sizes, and checks each of them against the reference: at ragged sizes, with
// plain and with special values, and at the timed size.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "case.h"
#include "cli.h"
#include "gradcheck.h"
#include "report.h"
#include "results.h"
#include "sizes.h"
#include "trial.h"

namespace brrr {

// Defines the problem at other sizes or in another dtype.
using Define = std::function<Definition(const Dims&, DType)>;

// The block sizes at which a version is asked to run: its own, narrowed by --block-size. {0} for a baseline.
inline std::vector<int> wanted_blocks(const Version& version, const Options& options) {
    if (!version.takes_block_size) { return {0}; }
    if (options.block_sizes.empty()) { return version.block_sizes; }
    if (version.block_sizes == default_block_sizes()) { return options.block_sizes; }  // no wish of its own
    std::vector<int> blocks;
    for (int block : version.block_sizes) {
        if (contains(options.block_sizes, block)) { blocks.push_back(block); }
    }
    return blocks;
}

// The chosen versions, each with its block sizes or the reason why it is skipped. Needs no device, so that a wrong
// command line is refused before there is one.
inline std::vector<VersionResult> choose_versions(const Definition& d, const Options& options) {
    std::vector<VersionResult> chosen;
    bool any = false;
    for (const Version& version : d.versions) {
        if (!options.versions.empty() && !contains(options.versions, version.id)) { continue; }
        VersionResult result;
        result.id = version.id;
        result.description = version.description;
        result.baseline = !version.takes_block_size;
        result.blocks = wanted_blocks(version, options);
        if (result.blocks.empty()) { result.skipped = "takes block sizes " + block_list(version.block_sizes); }
        any = any || !result.blocks.empty();
        if (!version.unmet.empty()) { result.skipped = "needs " + version.unmet; }
        chosen.push_back(result);
    }
    if (!any) {
        throw UsageError("no block size " + block_list(options.block_sizes) + " for version " +
                         std::to_string(chosen.front().id) + ", which " + chosen.front().skipped);
    }
    return chosen;
}

// Takes out what this device cannot run.
inline void skip_for_device(std::vector<VersionResult>& versions, const Definition& d, const Device& device) {
    for (VersionResult& result : versions) {
        const Version& version = d.version(result.id);
        if (!result.skipped.empty()) { continue; }
        if (version.arch > device.arch) {
            result.skipped = format("needs compute capability %d.%d, this is ", version.arch / 10, version.arch % 10) +
                             (kOnCpu ? "a CPU" : format("%d.%d", device.arch / 10, device.arch % 10));
            continue;
        }
        int most = 1024;
        for (const void* kernel : version.kernels) { most = std::min(most, kernel_facts(kernel, 0, device).max_block); }
        std::vector<int> possible;
        for (int block : result.blocks) {
            if (block <= most) {
                possible.push_back(block);
            } else {
                result.notes.push_back(format("block size %d left out: its registers allow %d threads", block, most));
            }
        }
        result.blocks = possible;
        if (possible.empty()) { result.skipped = format("its registers allow only %d threads a block", most); }
    }
}

// The message for a wrong result, right after the trial that found it.
inline std::vector<std::string> describe(const Case& at, const Trial& trial, const Outcome& outcome, int block) {
    const Definition& d = at.definition();
    const Comparison& c = outcome.comparison;
    const Buffer& buffer = d.buffers[outcome.buffer];
    std::vector<std::string> lines;
    lines.push_back("at " + (block > 0 ? "block size " + std::to_string(block) + ", " : "") + at.place());
    if (!c.ok()) {
        std::string inputs = at.inputs_at(outcome.buffer, c.first);
        lines.push_back(buffer.name + "[" + index_text(buffer.shape, c.first) +
                        "] = " + Case::number(trial.got(outcome.buffer, c.first)) + ", expected " +
                        Case::number(at.expected(outcome.buffer, c.first)) +
                        (inputs.empty() ? "" : ", where " + inputs));
        lines.push_back(
            format("%zu of %zu elements are wrong: %s", c.wrong, c.elements, pattern(c, buffer.shape, block).c_str()));
        if (c.unwritten > 0) { lines.push_back(format("%zu of them were never written", c.unwritten)); }
        if (c.nan > 0) { lines.push_back(format("%zu of them are NaN where a number is due", c.nan)); }
        if (c.infinite > 0) { lines.push_back(format("%zu of them are infinite where a number is due", c.infinite)); }
        if (c.worst_of_bound > 1) {
            lines.push_back(format("worst error %.3g ulp of %s, %.3g times its bound, %.3g absolute, at [%s]",
                                   c.worst_ulp, dtype_name(buffer.dtype), c.worst_of_bound, c.worst_abs,
                                   index_text(buffer.shape, c.worst).c_str()));
        }
    }
    lines.insert(lines.end(), outcome.causes.begin(), outcome.causes.end());
    return lines;
}

// Enters what a trial found. Of the wrong results the one at the smallest size and block size is described, and of the
// largest size at that block size the pattern; of other block sizes only that they are wrong.
inline void enter(const Case& at, const Trial& trial, const Outcome& outcome, int block, VersionResult& result) {
    const Comparison& c = outcome.comparison;
    const Buffer& buffer = at.buffers()[outcome.buffer];
    result.comparisons++;
    if (c.worst_ulp > result.worst_ulp || result.worst_where.empty()) {
        result.worst_ulp = c.worst_ulp, result.worst_abs = c.worst_abs;
        result.worst_where = buffer.name + "[" + index_text(buffer.shape, c.worst) + "], " + at.place();
    }
    result.worst_of_bound = std::max(result.worst_of_bound, c.worst_of_bound);
    result.ulp_999 = c.ulp_999();  // the timed size comes last
    if (outcome.ok()) { return; }
    if (!contains(result.wrong_blocks, block)) { result.wrong_blocks.push_back(block); }
    FailureKey key{at.elements(), block, at.values()};
    if (result.describes(key)) {
        if (block != result.failure_key.block) { result.larger_elements = 0; }
        result.failure = describe(at, trial, outcome, block);
        result.failure_key = key;
    }
    if (!c.ok() && block == result.failure_key.block && at.elements() > result.larger_elements) {
        result.larger_failure = format("at %s: %zu of %zu, %s", at.place().c_str(), c.wrong, c.elements,
                                       pattern(c, buffer.shape, block).c_str());
        result.larger_causes = outcome.causes;
        result.larger_elements = at.elements();
    }
}

// Tries one version at one block size. Where it is known to be wrong, only for a better description.
inline void check_once(const Case& at, VersionResult& result, int block, Depth depth) {
    const Version& version = at.definition().version(result.id);
    if (!version.unmet.empty()) { return; }
    if (contains(result.wrong_blocks, block) && !result.describes({at.elements(), block, at.values()})) {
        if (block != result.failure_key.block || at.elements() <= result.larger_elements) { return; }
        depth = Depth{};
        depth.inputs = depth.again = depth.causes = false;
    }
    progress(format("checking version %d at block size %d, %s", result.id, block, at.place().c_str()));
    Trial trial(at, version, block, result.history);
    enter(at, trial, trial.run(depth), block, result);
}

// Seconds since it was made.
class Stopwatch {
  public:
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

  private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// The data that each ragged size is checked with.
inline std::vector<Values> rounds(Effort effort, size_t number) {
    constexpr Values kShapes[] = {Values::equal, Values::sorted, Values::offset};
    if (effort == Effort::quick) { return {Values::plain, Values::special}; }
    if (effort == Effort::standard) { return {Values::plain, Values::special, Values::plain, kShapes[number % 3]}; }
    return {Values::plain, Values::special, Values::plain,  Values::special, Values::plain,
            Values::equal, Values::sorted,  Values::offset, Values::special, Values::plain};
}

// All checks except those at the timed size: each ragged size with several inputs, in an order that the seed shuffles,
// in the same arrays. At the largest ragged size of each block size the launch is repeated.
inline void check_ragged(Results& r, const Define& define, const Definition& timed, const Options& options) {
    std::vector<int> blocks;
    for (const VersionResult& result : r.versions) {
        for (int block : result.blocks) {
            if (!contains(blocks, block)) { blocks.push_back(block); }
        }
    }
    struct Planned {
        const CheckedSize* size;
        Values values;
        bool largest;
    };
    const std::vector<CheckedSize> sizes = checked_sizes(timed.dims, blocks);
    std::vector<Definition> definitions;
    std::vector<Planned> plan;
    for (size_t s = 0; s < sizes.size(); s++) {
        definitions.push_back(define(sizes[s].dims, timed.dtype));
        bool largest = s + 1 == sizes.size();
        for (Values values : rounds(options.effort, s)) { plan.push_back({&sizes[s], values, largest}); }
    }
    for (size_t i = plan.size(); i-- > 1;) {
        std::swap(plan[i], plan[random_words(options.seed, 0xfffffffe, i)[0] % (i + 1)]);
    }
    Arrays arrays(definitions);
    uint64_t case_number = 0;
    for (const Planned& planned : plan) {
        Stopwatch watch;
        Case at(define(planned.size->dims, timed.dtype), options.seed + ++case_number, planned.values, arrays);
        if (planned.largest && planned.values == Values::plain && r.weakness.empty()) {
            r.weakness = at.too_loose();
            if (std::string uniform = at.too_uniform(); !uniform.empty()) { throw UsageError(uniform); }
        }
        r.prepare_s += watch.seconds();
        Depth depth;
        depth.inputs = depth.again = options.effort != Effort::quick;
        bool repeat = options.effort == Effort::full || (planned.largest && planned.values == Values::plain);
        if (depth.again && repeat) { depth.repeats = 9, depth.behind = true; }
        for (VersionResult& result : r.versions) {
            if (!result.skipped.empty()) { continue; }
            for (int block : result.blocks) {
                bool due = block == 0 || planned.largest || contains(planned.size->blocks, block);
                if (due) { check_once(at, result, block, depth); }
            }
        }
    }
    progress("");
}

// The gradient check of each version, in float64, instead of the comparison with the reference.
inline void check_gradients(std::vector<VersionResult>& versions, const Define& define, const Definition& timed,
                            const Options& options) {
    for (size_t size : {1, 5, 33, 131}) {
        Dims dims = timed.dims;
        for (size_t d = 0; d < dims.size(); d++) { dims[d].size = d == 0 ? size : std::min<size_t>(size, 7); }
        for (Values values : {Values::plain, Values::extreme}) {
            GradCase at(define(dims, DType::f64), options.seed + size, values);
            for (VersionResult& result : versions) {
                const Version& version = at.definition().version(result.id);
                if (!result.skipped.empty() || !version.unmet.empty()) { continue; }
                for (int block : result.blocks) {
                    GradResult gradient = at.check(version, block);
                    result.comparisons++;
                    result.worst_gradient = std::max(result.worst_gradient, gradient.worst_error);
                    if (gradient.ok || result.wrong()) { continue; }
                    result.wrong_blocks.push_back(block);
                    result.failure = {"the gradient is wrong at " +
                                          (block > 0 ? "block size " + std::to_string(block) + ", " : "") +
                                          to_string(dims) + (values == Values::extreme ? ", extreme points" : ""),
                                      gradient.message};
                }
            }
        }
    }
}

}  // namespace brrr
