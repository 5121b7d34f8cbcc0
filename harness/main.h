// The main of every kernel file: definition -> inputs and reference -> check -> time -> report.
#pragma once

#include <cuda_profiler_api.h>

#include <cstdio>
#include <exception>
#include <string>

#include "check.h"
#include "export.h"
#include "timing.h"

namespace brrr {

// The sizes to time at: those given, and the file's own for the rest. On a CPU the largest of the latter are halved
// until no array has more than 2^20 elements, so that a run takes seconds.
inline Dims timed_dims(const Define& define, const Options& options, DType dtype) {
    Dims dims = define(options.dims, dtype).dims;
    for (;;) {
        size_t most = 0;
        for (const Buffer& buffer : define(dims, dtype).buffers) { most = std::max(most, buffer.elements()); }
        Dim* largest = nullptr;
        for (Dim& dim : dims) {
            auto same = [&](const Dim& given) { return given.name == dim.name; };
            bool given = std::any_of(options.dims.begin(), options.dims.end(), same);
            if (!given && dim.size > 1 && (!largest || dim.size > largest->size)) { largest = &dim; }
        }
        if (!kOnCpu || most <= size_t(1) << 20 || !largest) { return dims; }
        largest->size /= 2;
    }
}

// Says beforehand what does not fit, in bytes.
inline void refuse_too_large(const Definition& d, const Device& device, const Timer& timer, bool timed) {
    double on_device = double(timer.flush_bytes()), on_host = 0, largest_output = 0;
    for (const Buffer& buffer : d.buffers) {
        double bytes = double(buffer.bytes()), exact = 8.0 * double(buffer.elements());
        if (buffer.role == Role::point) { continue; }
        on_device += bytes;
        if (buffer.role == Role::input) { on_host += bytes + exact; }
        if (buffer.role == Role::output) { on_host += exact, largest_output = std::max(largest_output, bytes); }
    }
    if (timed) { on_device += double(Timer::copy_bytes(d.bytes)); }
    on_host += largest_output;
    auto refuse = [&](double needed, double free, const char* where) {
        throw MachineError(format("%s needs %.0f bytes (%s) of %s memory, and %.0f (%s) are free",
                                  to_string(d.dims).c_str(), needed, human_bytes(needed).c_str(), where, free,
                                  human_bytes(free).c_str()));
    };
    double host_free = double(host_free_bytes());
    if (!kOnCpu && on_device > double(device.free_bytes)) { refuse(on_device, double(device.free_bytes), "device"); }
    if (kOnCpu) { on_host += on_device; }
    if (host_free > 0 && on_host > host_free) { refuse(on_host, host_free, "host"); }
}

inline void time_versions(Results& r, const Case& at, Timer& timer) {
    const Definition& d = at.definition();
    r.copy_gbps = timer.copy_gbps(d.bytes);
    for (VersionResult& result : r.versions) {
        if (!result.checked()) { continue; }
        const Version& version = d.version(result.id);
        for (int block : result.blocks) {
            progress(format("timing version %d at block size %d", result.id, block));
            Row row;
            row.block = block;
            row.timing = timer.time([&] { at.launch(version, block); });
            row.gbps = d.bytes / row.timing.median_us / 1e3;
            row.of_copy = row.gbps / r.copy_gbps;
            row.tflops = d.flops / row.timing.median_us / 1e6;
            for (const void* kernel : version.kernels) {
                KernelFacts facts = kernel_facts(kernel, block, r.device);
                if (facts.registers > row.facts.registers) { row.facts = facts; }
            }
            result.rows.push_back(row);
        }
    }
    progress("");
}

// One launch of each version at each block size between cudaProfilerStart and Stop, and nothing else.
inline void profile_versions(const Results& r, const Case& at) {
    cudaCheck(cudaProfilerStart());
    for (const VersionResult& result : r.versions) {
        if (!result.skipped.empty()) { continue; }
        for (int block : result.blocks) {
            at.launch(at.definition().version(result.id), block);
            std::printf("  launched version %d%s\n", result.id,
                        block > 0 ? format(" at block size %d", block).c_str() : "");
        }
    }
    cudaCheck(cudaDeviceSynchronize());
    cudaCheck(cudaProfilerStop());
}

// Everything after the command line; fills r as it goes, so that what was found before an error is not lost.
inline void run_problem(Results& r, const Options& options, const Define& define) {
    r.device = open_device(options.device);
    Definition timed = define(timed_dims(define, options, options.dtype), options.dtype);
    r.dims = timed.dims;
    r.dtype = timed.dtype;
    r.seed = options.seed;
    r.bytes = timed.bytes;
    r.flops = timed.flops;
    r.bound_ulps = timed.tolerance(timed.dtype).ulps;
    skip_for_device(r.versions, timed, r.device);
    Timer timer(r.device, options.thorough);
    refuse_too_large(timed, r.device, timer, !options.check_only && !options.gradcheck && !options.profile);
    print_header(r);

    if (options.gradcheck) {
        std::printf("\ngradient check in f64: central differences, eps %g, atol %g, rtol %g\n", kGradEps, kGradAtol,
                    kGradRtol);
        check_gradients(r.versions, define, timed, options);
        for (const VersionResult& result : r.versions) { print_check(result); }
        return;
    }
    if (options.profile) {
        Case at(define(timed.dims, timed.dtype), options.seed, Values::plain);
        profile_versions(r, at);
        return;
    }
    std::printf("\ncheck against the float64 reference, bound %g ulp\n", r.bound_ulps);
    check_ragged(r.versions, define, timed, options);
    Case at(define(timed.dims, timed.dtype), options.seed, Values::plain);
    for (VersionResult& result : r.versions) {
        if (result.skipped.empty()) {
            for (int block : result.blocks) { check_once(at, result, block, Values::plain); }
            progress("");
        }
        if (!result.failure_at_larger.empty()) { result.failure.push_back(result.failure_at_larger); }
        if (result.wrong_blocks.size() > 1) {
            result.failure.push_back("wrong at block sizes " + block_list(result.wrong_blocks));
        }
        print_check(result);
    }
    if (options.check_only) { return; }
    time_versions(r, at, timer);
    if (r.ranking().empty()) { return; }
    print_times(r);
    if (r.ranking().size() > 1) { print_ranking(r); }
}

inline std::string base_name(const std::string& path) {
    return path.substr(path.find_last_of('/') + 1);
}

inline int run_main(int argc, char** argv, void (*define_problem)(Problem&)) {
    Results results;
    results.name = base_name(argv[0]);
    Options options;
    Define define = [=](const Dims& dims, DType dtype) {
        Problem problem(dims, &dtype);
        define_problem(problem);
        return problem.finish();
    };
    int status = kOk;
    try {
        Problem problem;
        define_problem(problem);
        Definition defaults = problem.finish();
        options = parse(argc, argv, results.name, defaults);
        if (options.help) {
            std::printf(kHelp, results.name.c_str());
            return kOk;
        }
        Definition timed = define(timed_dims(define, options, options.dtype), options.dtype);
        if (options.list) {
            int count = 0;
            bool found = cudaGetDeviceCount(&count) == cudaSuccess && count > options.device;
            Device device;
            if (found) { device = open_device(options.device); }
            print_list(results.name, timed, found ? &device : nullptr);
            return kOk;
        }
        results.versions = choose_versions(timed, options);
        run_problem(results, options, define);
        if (!options.profile) { print_verdict(results); }
        status = results.any_wrong() ? kCheckFailed : kOk;
    } catch (const UsageError& error) {
        std::fprintf(stderr, "%s: %s (--help shows the usage)\n", results.name.c_str(), error.what());
        return kUsage;
    } catch (const std::exception& error) {  // MachineError, and the host's std::bad_alloc
        progress("");
        std::fflush(stdout);
        results.error = error.what();
        std::fprintf(stderr, "%s: %s\n", results.name.c_str(), error.what());
        status = kMachine;
    }
    try {
        if (!options.json.empty()) { write_file(options.json, to_json(results)); }
        if (!options.csv.empty()) { write_file(options.csv, to_csv(results)); }
    } catch (const MachineError& error) {
        std::fprintf(stderr, "%s: %s\n", results.name.c_str(), error.what());
        status = kMachine;
    }
    return status;
}

}  // namespace brrr
