// Decides which versions run at which block sizes, and checks each of them against the reference: at ragged sizes, with
// plain and with special values, and at the timed size.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "case.h"
#include "cli.h"
#include "gradcheck.h"
#include "report.h"
#include "results.h"
#include "sizes.h"

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

// The message for a wrong result, from the case that has just found it.
inline std::vector<std::string> describe(const Case& failed, const CheckResult& result, int block, Values values) {
    const Definition& d = failed.definition();
    const Comparison& c = result.comparison;
    const Buffer& buffer = d.buffers[result.buffer];
    std::string inputs = failed.inputs_at(result.buffer, c.first);
    std::vector<std::string> lines;
    lines.push_back("at " + (block > 0 ? "block size " + std::to_string(block) + ", " : "") + to_string(d.dims) +
                    (values == Values::special ? ", special values" : ""));
    lines.push_back(buffer.name + "[" + index_text(buffer.shape, c.first) +
                    "] = " + Case::number(failed.got(result.buffer, c.first)) + ", expected " +
                    Case::number(failed.expected(result.buffer, c.first)) +
                    (inputs.empty() ? "" : ", where " + inputs));
    lines.push_back(
        format("%zu of %zu elements are wrong: %s", c.wrong, c.elements, pattern(c, buffer.shape, block).c_str()));
    if (c.unwritten > 0) { lines.push_back(format("%zu of them were never written", c.unwritten)); }
    if (c.nan > 0) { lines.push_back(format("%zu of them are NaN where a number is due", c.nan)); }
    if (c.worst_ulp <= d.tolerance(buffer.dtype).ulps) { return lines; }  // the wrong ones are not even numbers
    lines.push_back(format("worst error %.3g ulp of %s (bound %g), %.3g absolute, at [%s]", c.worst_ulp,
                           dtype_name(buffer.dtype), d.tolerance(buffer.dtype).ulps, c.worst_abs,
                           index_text(buffer.shape, c.worst).c_str()));
    return lines;
}

// Checks one version at one block size and enters what comes out. A block size at which the version was wrong is not
// tried again, but for the first such: there larger sizes tell which elements it gets wrong.
inline void check_once(const Case& at, VersionResult& result, int block, Values values) {
    const Version& version = at.definition().version(result.id);
    bool again = contains(result.wrong_blocks, block);
    if ((again && block != result.wrong_blocks.front()) || !version.unmet.empty()) { return; }
    std::string dims = to_string(at.definition().dims);
    progress(format("checking version %d at block size %d, %s", result.id, block, dims.c_str()));
    CheckResult check = at.check(version, block);
    const Comparison& c = check.comparison;
    const Buffer& buffer = at.definition().buffers[check.buffer];
    result.comparisons++;
    if (c.worst_ulp > result.worst_ulp || result.worst_where.empty()) {
        result.worst_ulp = c.worst_ulp, result.worst_abs = c.worst_abs;
        result.worst_where = buffer.name + "[" + index_text(buffer.shape, c.worst) + "], " + dims;
    }
    if (c.ok()) { return; }
    if (again) {
        result.failure_at_larger =
            format("at %s %zu of %zu: %s", dims.c_str(), c.wrong, c.elements, pattern(c, buffer.shape, block).c_str());
        return;
    }
    if (result.failure.empty()) { result.failure = describe(at, check, block, values); }
    result.wrong_blocks.push_back(block);
}

// All checks except those at the timed size.
inline void check_ragged(std::vector<VersionResult>& versions, const Define& define, const Definition& timed,
                         const Options& options) {
    std::vector<int> blocks;
    for (const VersionResult& result : versions) {
        for (int block : result.blocks) {
            if (!contains(blocks, block)) { blocks.push_back(block); }
        }
    }
    uint64_t case_number = 0;
    for (const CheckedSize& size : checked_sizes(timed.dims, blocks)) {
        for (int round = 0; round < (options.thorough ? 6 : 2); round++) {
            Values values = round % 2 == 0 ? Values::plain : Values::special;
            Case at(define(size.dims, timed.dtype), options.seed + ++case_number, values);
            for (VersionResult& result : versions) {
                if (!result.skipped.empty()) { continue; }
                for (int block : result.blocks) {
                    if (block == 0 || contains(size.blocks, block)) { check_once(at, result, block, values); }
                }
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
