// The results for programs: Google Benchmark's JSON, and CSV with the same columns. docs/results.md is the schema.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <string>
#include <thread>

#include "json.h"
#include "results.h"

namespace brrr {

// "sigmoid_forward/3/f32/N:67108864/block:256"
inline std::string row_name(const Results& r, const VersionResult& v, const Row& row) {
    std::string name = r.name + "/" + std::to_string(v.id) + "/" + dtype_name(r.dtype);
    for (const Dim& dim : r.dims) { name += "/" + dim.name + ":" + std::to_string(dim.size); }
    return row.block > 0 ? name + "/block:" + std::to_string(row.block) : name;
}

inline std::string iso_date() {
    std::time_t now = std::time(nullptr);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
    return text;
}

inline void write_context(JsonWriter& json, const Results& r) {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    json.key("context").open('{');
    json.member("date", iso_date());
    json.member("host_name", host);
    json.member("executable", r.name);
    json.member("num_cpus", std::thread::hardware_concurrency());
    json.member("mhz_per_cpu", 0);
    json.key("caches").open('[');
    json.close(']');
    json.key("load_avg").open('[');
    json.close(']');
    json.member("library_version", "brrr 1");
    json.member("library_build_type", "release");
    json.member("json_schema_version", 1);
    json.member("backend", kOnCpu ? "cpu" : "gpu");
    json.member("device", r.device.name);
    json.member("compute_capability", r.device.arch);
    json.member("cuda_runtime", r.device.runtime);
    json.member("cuda_driver", r.device.driver);
    json.member("dtype", dtype_name(r.dtype));
    for (const Dim& dim : r.dims) { json.member("dim_" + dim.name, dim.size); }
    json.member("seed", std::to_string(r.seed));  // a string: over 2^53 other readers of JSON lose digits
    json.member("bytes", r.bytes);
    json.member("flops", r.flops);
    json.member("bound_ulp", r.bound_ulps);
    json.member("copy_bytes_per_second", r.copy_gbps * 1e9);
    json.member("status", !r.error.empty() ? "error" : r.failed() ? "wrong" : "ok");
    if (!r.weakness.empty()) { json.member("weakness", r.weakness); }
    if (!r.error.empty()) { json.member("error", r.error); }
    json.close('}');
}

inline std::string to_json(const Results& r) {
    JsonWriter json;
    json.open('{');
    write_context(json, r);
    json.key("benchmarks").open('[');
    int family = 0;
    for (const VersionResult& v : r.versions) {
        int instance = 0;
        for (const Row& row : v.rows) {
            json.open('{');
            json.member("name", row_name(r, v, row));
            json.member("family_index", family);
            json.member("per_family_instance_index", instance++);
            json.member("run_name", row_name(r, v, row));
            json.member("run_type", "iteration");
            json.member("repetitions", 1);
            json.member("repetition_index", 0);
            json.member("threads", 1);
            json.member("iterations", row.timing.samples);
            json.member("real_time", row.timing.median_us);
            json.member("cpu_time", row.timing.median_us);
            json.member("time_unit", "us");
            json.member("label", v.description);
            json.member("version", v.id);
            json.member("baseline", v.baseline);
            json.member("block_size", row.block);
            json.member("min_time", row.timing.min_us);
            json.member("noise", row.timing.noise);
            json.member("bytes_per_second", row.gbps * 1e9);
            json.member("of_copy", row.of_copy);
            if (r.flops > 0) { json.member("flops_per_second", row.tflops * 1e12); }
            json.member("impossible", row.impossible);
            json.member("registers", row.facts.registers);
            json.member("shared_bytes", row.facts.shared_bytes);
            json.member("occupancy", row.facts.occupancy);
            json.close('}');
        }
        family++;
    }
    json.close(']');
    json.key("checks").open('[');
    for (const VersionResult& v : r.versions) {
        json.open('{');
        json.member("version", v.id);
        json.member("label", v.description);
        json.member("status", !v.skipped.empty() ? "skipped" : v.wrong() ? "wrong" : v.checked() ? "ok" : "unchecked");
        if (!v.skipped.empty()) { json.member("reason", v.skipped); }
        json.member("comparisons", v.comparisons);
        json.member("worst_ulp", v.worst_ulp);
        json.member("worst_absolute", v.worst_abs);
        json.member("worst_where", v.worst_where);
        json.member("worst_of_bound", v.worst_of_bound);
        json.member("ulp_999", v.ulp_999);
        for (const char* list : {"failure", "notes"}) {
            json.key(list).open('[');
            for (const std::string& line : list[0] == 'f' ? v.failure_lines() : v.notes) { json.value(line); }
            json.close(']');
        }
        json.close('}');
    }
    json.close(']');
    json.close('}');
    return json.text();
}

inline std::string to_csv(const Results& r) {
    auto quoted = [](const std::string& text) {
        std::string doubled;
        for (char c : text) { doubled += c == '"' ? "\"\"" : std::string(1, c); }
        return "\"" + doubled + "\"";
    };
    std::string csv =
        "name,label,version,baseline,block_size,iterations,real_time,time_unit,min_time,noise,bytes_per_second,of_copy,"
        "registers,shared_bytes,occupancy,worst_ulp,device,seed\n";
    for (const VersionResult& v : r.versions) {
        for (const Row& row : v.rows) {
            char numbers[512];
            std::snprintf(numbers, sizeof numbers, ",%d,%d,%d,%d,%.9g,us,%.9g,%.9g,%.9g,%.9g,%d,%zu,%.9g,%.9g,", v.id,
                          int(v.baseline), row.block, row.timing.samples, row.timing.median_us, row.timing.min_us,
                          row.timing.noise, row.gbps * 1e9, row.of_copy, row.facts.registers, row.facts.shared_bytes,
                          row.facts.occupancy, v.worst_ulp);
            csv += row_name(r, v, row) + "," + quoted(v.description) + numbers + quoted(r.device.name) + "," +
                   std::to_string(r.seed) + "\n";
        }
    }
    return csv;
}

// Replaces a file as a whole, so that an interrupted run never leaves half of one; a device or pipe is written to.
inline void write_file(const std::string& path, const std::string& text) {
    struct stat status;
    bool special = stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
    std::string temporary = special ? path : path + ".part";
    FILE* file = std::fopen(temporary.c_str(), "w");
    bool written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if (file) { written = std::fclose(file) == 0 && written; }
    if (written && !special) { written = std::rename(temporary.c_str(), path.c_str()) == 0; }
    if (!written) { throw MachineError("cannot write " + path); }
}

}  // namespace brrr
