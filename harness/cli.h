// The command line of every kernel file. parse() refuses what does not exist before any work is done, and names what
// does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "problem.h"

namespace brrr {

constexpr const char* kHelp = R"(usage: ./%s [VERSION...] [DIM=SIZE...] [options]

With no version: checks and times all of them, and ranks them.
With versions:   checks each against the CPU reference, then times it at each block size.
DIM=SIZE sets a dimension of the timed problem: 1000003, 2^24, 16M (10^6), 64Ki (2^10).

  --list              versions, dimensions, dtypes and block sizes of this file
  --block-size A,B    only these block sizes
  --dtype T           f32, f64, f16 or bf16
  --check             check only, no timing
  --check=quick       the same for the inner loop: one launch each, no more than compared
  --check=full        the same with more inputs and ten launches each
  --gradcheck         hold a backward pass against central differences of its forward pass
  --seed S            the seed of the inputs; a fresh one each run, printed, without it
  --device D          CUDA device number
  --json FILE         write the results in Google Benchmark's JSON
  --csv FILE          write the results as a table
  --profile           one launch of each, between cudaProfilerStart and Stop, for ncu or nsys
  --thorough          more inputs in the check, more samples in the timing
  --help              this text

Exit status: 0 all is well; 1 a check failed; 2 the command line is wrong; 3 the machine cannot do it.
)";

enum class Effort { quick, standard, full };  // of the check

struct Options {
    std::vector<int> versions;  // empty: all
    Dims dims;
    std::vector<int> block_sizes;  // empty: each version's own
    DType dtype = DType::f32;
    uint64_t seed = 0;
    int device = 0;
    std::string json, csv;
    Effort effort = Effort::standard;
    bool list = false, check_only = false, gradcheck = false, profile = false, thorough = false, help = false;
};

// The number of single-character edits (and swaps of neighbours) between two words.
inline size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
    for (size_t i = 0; i <= a.size(); i++) {
        for (size_t j = 0; j <= b.size(); j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) { d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1); }
        }
    }
    return d[a.size()][b.size()];
}

// "; did you mean --json?" where one of the words is near, else nothing.
inline std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
    std::string best;
    size_t best_distance = std::max<size_t>(1, word.size() / 3) + 1;
    for (const std::string& candidate : known) {
        size_t distance = edit_distance(word, candidate);
        if (distance < best_distance) { best_distance = distance, best = candidate; }
    }
    return best.empty() ? "" : "; did you mean " + best + "?";
}

template <class T, class ToText>
std::string join(const std::vector<T>& list, const char* separator, ToText to_text) {
    std::string text;
    for (const T& item : list) { text += std::string(text.empty() ? "" : separator) + to_text(item); }
    return text;
}

// "0 to 5", or "1, 3, 4" where there are gaps.
inline std::string version_range(const Definition& d) {
    std::vector<int> ids;
    for (const Version& version : d.versions) { ids.push_back(version.id); }
    std::sort(ids.begin(), ids.end());
    if (ids.size() > 1 && ids.back() - ids.front() == int(ids.size()) - 1) {
        return "versions " + std::to_string(ids.front()) + " to " + std::to_string(ids.back());
    }
    return (ids.size() == 1 ? "version " : "versions ") + join(ids, ", ", [](int id) { return std::to_string(id); });
}

// A whole number in [0, 2^64), or a UsageError that names `what`.
inline uint64_t parse_integer(const std::string& text, const std::string& what) {
    bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    uint64_t value = 0;
    for (size_t i = 0; digits && i < text.size(); i++) {
        digits = !__builtin_mul_overflow(value, uint64_t(10), &value) &&
                 !__builtin_add_overflow(value, uint64_t(text[i] - '0'), &value);
    }
    if (!digits) { throw UsageError(what + " must be a whole number below 2^64, not '" + text + "'"); }
    return value;
}

// 1000003, 2^24, 16M (10^6), 64Ki (2^10); at least 1.
inline size_t parse_size(const std::string& text, const std::string& what) {
    const std::string help = what + " must be a size of at least 1, as 1000003, 2^24, 16M or 64Ki, not '" + text + "'";
    size_t end = text.find_first_not_of("0123456789");
    std::string head = text.substr(0, end), tail = end == std::string::npos ? "" : text.substr(end);
    if (head.empty()) { throw UsageError(help); }
    uint64_t value = parse_integer(head, what), factor = 1;
    if (tail.size() > 1 && tail[0] == '^') {
        uint64_t base = value, power = parse_integer(tail.substr(1), "the power in " + what);
        value = 1;
        for (uint64_t i = 0; i < power && base != 1; i++) {
            if (__builtin_mul_overflow(value, base, &value)) { throw UsageError(what + "=" + text + " is over 2^64"); }
            if (value == 0) { break; }
        }
    } else if (!tail.empty()) {
        size_t letter = std::string("KMGT").find(tail[0]);
        bool binary = tail.size() == 2 && tail[1] == 'i';
        if (letter == std::string::npos || (tail.size() != 1 && !binary)) { throw UsageError(help); }
        for (size_t i = 0; i <= letter; i++) { factor *= binary ? 1024 : 1000; }
    }
    if (__builtin_mul_overflow(value, factor, &value)) { throw UsageError(what + "=" + text + " is over 2^64"); }
    if (value == 0) { throw UsageError(help); }
    return value;
}

inline std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts(1);
    for (char c : text) {
        if (c == separator) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

// Throws UsageError for anything that the problem does not have. argv[0] is the problem's name.
inline Options parse(int argc, char** argv, const std::string& name, const Definition& d) {
    const std::vector<std::string> switches = {"--list", "--check", "--gradcheck", "--profile", "--thorough", "--help"};
    const std::vector<std::string> with_value = {"--block-size", "--dtype", "--seed", "--device", "--json", "--csv"};
    std::vector<std::string> options = switches;
    options.insert(options.end(), with_value.begin(), with_value.end());

    Options o;
    o.dtype = d.dtype;
    o.seed = std::random_device{}() | uint64_t(std::random_device{}()) << 32;
    for (int a = 1; a < argc; a++) {
        std::string word = argv[a];
        if (word == "-h") { word = "--help"; }
        size_t equals = word.find('=');
        std::string key = word.substr(0, equals);
        if (word.rfind("-", 0) == 0) {
            if (!contains(options, key)) { throw UsageError("no option " + key + suggestion(key, options)); }
            if (contains(switches, key)) {
                std::string effort = key == "--check" && equals != std::string::npos ? word.substr(equals + 1) : "";
                if (effort == "quick") { o.effort = Effort::quick; }
                if (effort == "full") { o.effort = Effort::full; }
                if (key == "--check" && equals != std::string::npos && o.effort == Effort::standard) {
                    throw UsageError("--check=" + effort + ": there are --check, --check=quick and --check=full");
                }
                if (key != "--check" && equals != std::string::npos) { throw UsageError(key + " takes no value"); }
                if (key == "--list") { o.list = true; }
                if (key == "--check") { o.check_only = true; }
                if (key == "--gradcheck") { o.gradcheck = true; }
                if (key == "--profile") { o.profile = true; }
                if (key == "--thorough") { o.thorough = true, o.effort = Effort::full; }
                if (key == "--help") { o.help = true; }
                continue;
            }
            if (equals == std::string::npos && a + 1 == argc) { throw UsageError(key + " needs a value"); }
            std::string value = equals == std::string::npos ? argv[++a] : word.substr(equals + 1);
            if (value.empty()) { throw UsageError(key + " needs a value"); }
            if (key == "--seed") { o.seed = parse_integer(value, key); }
            if (key == "--json") { o.json = value; }
            if (key == "--csv") { o.csv = value; }
            if (key == "--device") {
                uint64_t device = parse_integer(value, key);
                if (device > 1023) { throw UsageError("--device " + value + ": no machine has that many"); }
                o.device = int(device);
            }
            if (key == "--dtype") {
                auto found = std::find_if(d.dtypes.begin(), d.dtypes.end(),
                                          [&](DType dtype) { return dtype_name(dtype) == value; });
                if (found == d.dtypes.end()) {
                    throw UsageError("no dtype " + value + "; " + name + " has " + join(d.dtypes, ", ", dtype_name));
                }
                o.dtype = *found;
            }
            if (key == "--block-size") {
                for (const std::string& part : split(value, ',')) {
                    uint64_t block = parse_integer(part, "a block size");
                    if (block == 0 || block > 1024 || block % 32 != 0) {
                        throw UsageError("no block size " + part + "; choose multiples of 32 up to 1024");
                    }
                    if (!contains(o.block_sizes, int(block))) { o.block_sizes.push_back(int(block)); }
                }
            }
        } else if (equals != std::string::npos) {
            std::vector<std::string> names;
            for (const Dim& dim : d.dims) { names.push_back(dim.name); }
            if (!contains(names, key)) {
                auto same = [](const std::string& dim) { return dim; };
                throw UsageError("no dimension " + key + "; " + name + " has " + join(names, ", ", same) +
                                 suggestion(key, names));
            }
            for (const Dim& given : o.dims) {
                if (given.name == key) { throw UsageError(key + " is given twice"); }
            }
            o.dims.push_back({key, parse_size(word.substr(equals + 1), key)});
        } else {
            bool number = word.find_first_not_of("0123456789") == std::string::npos;
            auto found = std::find_if(d.versions.begin(), d.versions.end(), [&](const Version& version) {
                return number && word.size() < 9 && version.id == std::atoi(word.c_str());
            });
            if (found == d.versions.end()) {
                std::string dashed = number ? "" : suggestion("--" + word, options);
                throw UsageError("no version " + word + "; " + name + " has " + version_range(d) + dashed);
            }
            if (!contains(o.versions, found->id)) { o.versions.push_back(found->id); }
        }
    }
    if (o.gradcheck && !d.gradcheck.forward) {
        throw UsageError(name + " has no gradient check: its define_problem names no forward pass (p.gradcheck)");
    }
    if (o.profile && (o.check_only || o.gradcheck)) {
        throw UsageError("--profile goes without --check or --gradcheck");
    }
    for (const std::string& path : {o.json, o.csv}) {  // found out now, not when the results are in
        if (path.empty()) { continue; }
        FILE* file = std::fopen(path.c_str(), "a");
        if (!file) { throw UsageError("cannot write " + path); }
        std::fclose(file);
    }
    return o;
}

}  // namespace brrr
