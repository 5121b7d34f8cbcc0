// The results as text for people, on standard output.
#pragma once

#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "cli.h"
#include "results.h"

namespace brrr {

__attribute__((format(printf, 1, 2))) inline std::string format(const char* pattern, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, pattern);
    std::vsnprintf(text, sizeof text, pattern, arguments);
    va_end(arguments);
    return text;
}

inline std::string block_list(const std::vector<int>& blocks) {
    return join(blocks, ", ", [](int block) { return std::to_string(block); });
}

// Green for good and red for bad on a terminal that has not asked for NO_COLOR (no-color.org).
inline std::string colored(const std::string& text, bool good) {
    const char* no_color = std::getenv("NO_COLOR");
    if (!isatty(STDOUT_FILENO) || (no_color && *no_color)) { return text; }
    return (good ? "\033[32m" : "\033[31m") + text + "\033[0m";
}

// A line on a terminal that the next one overwrites; nothing elsewhere.
inline void progress(const std::string& text) {
    if (isatty(STDERR_FILENO)) { std::fprintf(stderr, "\r\033[K%s", text.c_str()); }
}

inline std::string human_bytes(double bytes) {
    const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    while (bytes >= 1024 && unit < 4) { bytes /= 1024, unit++; }
    return format(unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
}

inline void print_list(const std::string& name, const Definition& d, const Device* device) {
    std::printf("%s\n", name.c_str());
    for (const Version& version : d.versions) {
        std::printf("  version %d    %s", version.id, version.description.c_str());
        if (!version.takes_block_size) {
            std::printf(" (baseline)");
        } else if (version.block_sizes != default_block_sizes()) {
            std::printf(" (block sizes %s)", block_list(version.block_sizes).c_str());
        }
        if (!version.unmet.empty()) { std::printf(" (skipped here: needs %s)", version.unmet.c_str()); }
        if (version.arch > 0) {
            std::printf(" (%sneeds compute capability %d.%d)",
                        device && device->arch < version.arch ? "skipped here: " : "", version.arch / 10,
                        version.arch % 10);
        }
        std::printf("\n");
    }
    std::printf("  dimensions   %s\n", to_string(d.dims).c_str());
    std::printf("  dtypes       %s\n", join(d.dtypes, " ", dtype_name).c_str());
    std::printf("  block sizes  %s\n",
                join(default_block_sizes(), " ", [](int b) { return std::to_string(b); }).c_str());
    std::printf("  bound        %g ulp of %s%s\n", d.tolerance(d.dtype).ulps, dtype_name(d.dtype),
                d.ulps_reason.empty() ? "" : (" (" + d.ulps_reason + ")").c_str());
    if (d.gradcheck.forward) { std::printf("  --gradcheck  against central differences of the forward pass\n"); }
}

inline void print_header(const Results& r) {
    std::printf("%s  %s  %s  %s moved  --seed %llu\n", r.name.c_str(), dtype_name(r.dtype), to_string(r.dims).c_str(),
                human_bytes(r.bytes).c_str(), (unsigned long long)r.seed);
    if (kOnCpu) {
        std::printf("%s: these are CPU times and say nothing about a GPU\n", r.device.name.c_str());
    } else {
        std::printf("%s, compute capability %d.%d, %d multiprocessors, CUDA %d.%d\n", r.device.name.c_str(),
                    r.device.arch / 10, r.device.arch % 10, r.device.multiprocessors, r.device.runtime / 1000,
                    r.device.runtime % 1000 / 10);
    }
}

inline void print_check(const VersionResult& v) {
    std::string title = format("version %d  %s", v.id, v.description.c_str());
    if (!v.skipped.empty()) {
        std::printf("  skip   %s: %s\n", title.c_str(), v.skipped.c_str());
    } else if (v.wrong()) {
        std::printf("  %s  %s\n", colored("WRONG", false).c_str(), title.c_str());
        for (const std::string& line : v.failure_lines()) { std::printf("           %s\n", line.c_str()); }
    } else {
        std::string worst = format("%.2f ulp (99.9%% within %.2f), %.0f%% of the bound, at %s", v.worst_ulp, v.ulp_999,
                                   v.worst_of_bound * 100, v.worst_where.c_str());
        if (v.worst_where.empty()) { worst = format("%.2g of the gradient's tolerance", v.worst_gradient); }
        std::printf("  %s     %-58s %4zu runs, worst %s\n", colored("ok", true).c_str(), title.c_str(), v.comparisons,
                    worst.c_str());
    }
    for (const std::string& note : v.notes) { std::printf("           %s\n", note.c_str()); }
    std::fflush(stdout);
}

// What the check cost, and what it left out.
inline void print_check_end(const Results& r, Effort effort) {
    if (!r.weakness.empty()) { std::printf("  %s   %s\n", colored("WEAK", false).c_str(), r.weakness.c_str()); }
    std::printf("  checked in %.1f s, of which %.1f s went into inputs and reference%s\n", r.check_s, r.prepare_s,
                effort == Effort::quick ? "; --check=quick leaves out: second launches, repeats, changed inputs" : "");
}

inline void print_times(const Results& r) {
    std::printf("\n%s; a copy of the same bytes reaches %.*f GB/s\n",
                kOnCpu ? "CPU time: median of samples" : "time: median of samples with a cold L2",
                r.copy_gbps < 100 ? 2 : 0, r.copy_gbps);
    std::printf("  version  block     time us      GB/s  of copy   noise  registers  shared B  occupancy%s\n",
                r.flops > 0 ? "   TFLOP/s" : "");
    for (const VersionResult& v : r.versions) {
        for (const Row& row : v.rows) {
            std::string block = row.block > 0 ? std::to_string(row.block) : "-";
            std::string facts = format("%9s  %8s  %9s", "-", "-", "-");
            if (row.facts.registers > 0) {
                facts = format("%9d  %8zu  %8.0f%%", row.facts.registers, row.facts.shared_bytes,
                               row.facts.occupancy * 100);
            }
            std::printf("  %7d  %5s  %10.2f  %8.*f  %6.1f%%  %5.1f%%  %s", v.id, block.c_str(), row.timing.median_us,
                        row.gbps < 100 ? 2 : 0, row.gbps, row.of_copy * 100, row.timing.noise * 100, facts.c_str());
            if (r.flops > 0) { std::printf("  %8.2f", row.tflops); }
            std::printf("%s%s\n", &row == v.best() && v.rows.size() > 1 ? "  <- best" : "",
                        row.impossible ? "  IMPOSSIBLE: beyond the device's peak" : "");
        }
    }
}

inline void print_ranking(const Results& r) {
    const VersionResult* naive = r.find([](const VersionResult& v) { return v.id == 1; });
    const VersionResult* baseline = r.find([](const VersionResult& v) { return v.baseline; });
    std::printf("\nranking, each version at its best block size\n");
    std::printf("  version  block     time us      GB/s  of copy");
    if (naive) { std::printf("  over version 1"); }
    if (baseline) { std::printf("  over baseline"); }
    std::printf("\n");
    for (const VersionResult* v : r.ranking()) {
        const Row& row = *v->best();
        std::string block = row.block > 0 ? std::to_string(row.block) : "-";
        std::printf("  %7d  %5s  %10.2f  %8.*f  %6.1f%%", v->id, block.c_str(), row.timing.median_us,
                    row.gbps < 100 ? 2 : 0, row.gbps, row.of_copy * 100);
        if (naive) { std::printf("  %13.2fx", naive->best()->timing.median_us / row.timing.median_us); }
        if (baseline) { std::printf("  %12.2fx", baseline->best()->timing.median_us / row.timing.median_us); }
        std::printf("  %s\n", v->description.c_str());
    }
}

// The last line: one that can be pasted.
inline void print_verdict(const Results& r) {
    auto ids = [&](bool (*which)(const VersionResult&)) {
        std::vector<std::string> names;
        for (const VersionResult& v : r.versions) {
            if (which(v)) { names.push_back(std::to_string(v.id)); }
        }
        return join(names, ", ", [](const std::string& id) { return id; });
    };
    std::string wrong = ids([](const VersionResult& v) { return v.wrong(); });
    std::string fine = ids([](const VersionResult& v) { return v.checked(); });
    std::string skipped = ids([](const VersionResult& v) { return !v.skipped.empty(); });
    std::string line = r.name + ": ";
    if (!wrong.empty()) { line += "WRONG: " + wrong + (fine.empty() ? "" : "; "); }
    if (!fine.empty()) { line += "ok: " + fine; }
    if (!r.weakness.empty()) { line += (fine.empty() ? "" : "; ") + std::string("WEAK check"); }
    if (r.any_impossible()) { line += "; IMPOSSIBLE time: is p.bytes or p.flops wrong?"; }
    if (!skipped.empty()) { line += (wrong.empty() && fine.empty() ? "" : "; ") + ("skipped: " + skipped); }
    auto ranked = r.ranking();
    if (!ranked.empty()) {
        const Row& row = *ranked.front()->best();
        line += format("; fastest: %d", ranked.front()->id) +
                (row.block > 0 ? format(" at block size %d", row.block) : "") +
                format(", %.*f GB/s, %.1f%% of a copy", row.gbps < 100 ? 2 : 0, row.gbps, row.of_copy * 100);
    }
    line += format(" (%s, %s, %s)", dtype_name(r.dtype), to_string(r.dims).c_str(), r.device.name.c_str());
    std::printf("\n%s\n", colored(line, !r.failed()).c_str());
}

}  // namespace brrr
