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
    double on_device = double(timer.flush_bytes()), on_host = 0;
    for (const Buffer& buffer : d.buffers) {
        double bytes = double(buffer.bytes()), exact = 8.0 * double(buffer.elements());
        if (buffer.role == Role::point) { continue; }
        on_device += bytes;
        on_host += (buffer.role == Role::scratch ? 0 : exact) + (buffer.made() ? 2 * bytes : 0);
        on_host += buffer.compared() ? 2 * bytes + (d.magnitude ? exact : 0) : 0;
    }
    if (timed) { on_device += double(Timer::copy_bytes(d.bytes)); }
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

// Looks at some of the launches that are timed, so that a kernel must do its work then too.
class Watch {
  public:
    Watch(Trial& trial, uint64_t seed) : trial_(trial) {
        auto dice = random_words(seed, 0xfffffffd, 0);
        watched_ = {int(dice[0] % 5), int(5 + dice[1] % 40)};
    }
    void before(int sample) {
        if (contains(watched_, sample)) { trial_.before_sample(); }
    }
    void after(int sample) {
        if (!contains(watched_, sample) || !outcome.ok()) { return; }
        outcome = trial_.after_sample();
        if (!outcome.ok()) {
            outcome.causes.push_back("right when checked and wrong while timed: sample " + std::to_string(sample));
        }
    }
    Outcome outcome;

  private:
    Trial& trial_;
    std::vector<int> watched_;
};

// Times a version that is right at each of its block sizes, and checks it once more at the end.
inline void time_version(Results& r, VersionResult& result, const Case& at, Timer& timer, uint64_t seed) {
    const Version& version = at.definition().version(result.id);
    for (int block : result.blocks) {
        progress(format("timing version %d at block size %d", result.id, block));
        Trial trial(at, version, block, result.history);
        Watch watch(trial, seed + uint64_t(result.id * 2048 + block));
        Row row;
        row.block = block;
        row.timing =
            timer.time([&] { trial.launch(); }, [&](int i) { watch.before(i); }, [&](int i) { watch.after(i); });
        row.gbps = r.bytes / row.timing.median_us / 1e3;
        row.of_copy = row.gbps / r.copy_gbps;
        row.tflops = r.flops / row.timing.median_us / 1e6;
        bool beyond_cache = r.bytes > 2.0 * double(r.device.l2_bytes);
        row.impossible = (r.device.peak_gbps > 0 && beyond_cache && row.gbps > r.device.peak_gbps) ||
                         (r.device.peak_tflops > 0 && row.tflops > r.device.peak_tflops);
        for (const void* kernel : version.kernels) {
            KernelFacts facts = kernel_facts(kernel, block, r.device);
            if (facts.registers > row.facts.registers) { row.facts = facts; }
        }
        result.rows.push_back(row);
        Outcome outcome = watch.outcome;
        if (outcome.ok() && block == result.blocks.back()) {
            Depth once;
            once.inputs = once.again = false;
            outcome = trial.run(once);
            if (!outcome.ok()) { outcome.causes.push_back("right before the timing and wrong after it"); }
        }
        if (outcome.ok()) { continue; }
        enter(at, trial, outcome, block, result);
        result.rows.clear();
        return;
    }
}

// One launch of each version at each block size between cudaProfilerStart and Stop, and nothing else.
inline void profile_versions(const Results& r, const Case& at) {
    cudaCheck(cudaProfilerStart());
    for (const VersionResult& result : r.versions) {
        if (!result.skipped.empty()) { continue; }
        for (int block : result.blocks) {
            History none;
            Trial(at, at.definition().version(result.id), block, none).launch();
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
    Stopwatch watch;
    if (!options.profile) {
        std::printf("\ncheck against the float64 reference, bound %g ulp\n", r.bound_ulps);
        check_ragged(r, define, timed, options);
    }
    Stopwatch preparing;
    Arrays arrays({timed});
    Case at(timed, options.seed, Values::plain, arrays);
    r.prepare_s += preparing.seconds();
    if (options.profile) { return profile_versions(r, at); }
    for (VersionResult& result : r.versions) {
        for (int block : result.skipped.empty() ? result.blocks : std::vector<int>{}) {
            Depth depth;  // a second launch at one block size only: it is the large copies that take time here
            depth.inputs = depth.again = options.effort != Effort::quick && block == result.blocks.front();
            check_once(at, result, block, depth);
        }
        progress("");
        print_check(result);
    }
    r.check_s = watch.seconds();
    print_check_end(r, options.effort);
    if (options.check_only) { return; }
    r.copy_gbps = timer.copy_gbps(r.bytes);
    for (VersionResult& result : r.versions) {
        if (!result.checked()) { continue; }
        time_version(r, result, at, timer, options.seed);
        if (result.wrong()) { print_check(result); }
    }
    progress("");
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
        status = results.failed() ? kCheckFailed : kOk;
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
