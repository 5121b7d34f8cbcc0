// Lets the Python tests ask single parts of the harness: one question a line on standard input, one answer a line.
#include <cinttypes>
#include <iostream>
#include <sstream>

#include "harness/check.h"
#include "harness/export.h"

using namespace brrr;

static DType dtype_named(const std::string& name) {
    for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16}) {
        if (dtype_name(dtype) == name) { return dtype; }
    }
    throw UsageError("no dtype " + name);
}

static double read_double(std::istringstream& in) {
    std::string text;
    in >> text;
    return std::strtod(text.c_str(), nullptr);
}

static std::string answer(std::istringstream& in) {
    std::string question, dtype;
    in >> question;
    if (question == "philox") {
        std::array<uint32_t, 4> c;
        std::array<uint32_t, 2> k;
        in >> std::hex >> c[0] >> c[1] >> c[2] >> c[3] >> k[0] >> k[1];
        c = philox4x32(c, k);
        return format("%08x %08x %08x %08x", c[0], c[1], c[2], c[3]);
    }
    if (question == "encode") {  // DTYPE VALUE: the bits
        in >> dtype;
        double value = read_double(in);
        return with_format(dtype_named(dtype),
                           [&](auto f) { return format("%" PRIx64, uint64_t(decltype(f)::encode(value))); });
    }
    if (question == "decode") {  // DTYPE BITS: the value
        uint64_t bits;
        in >> dtype >> std::hex >> bits;
        return with_format(dtype_named(dtype),
                           [&](auto f) { return format("%a", decltype(f)::decode(typename decltype(f)::Bits(bits))); });
    }
    if (question == "input") {  // DTYPE SEED STREAM COUNT plain|special LOW HIGH: the values
        uint64_t seed;
        uint32_t stream;
        size_t n;
        std::string kind, text;
        in >> dtype >> seed >> stream >> n >> kind;
        double low = read_double(in), high = read_double(in);
        Buffer buffer{"x", Role::input, dtype_named(dtype), n, uniform(low, high)};
        std::vector<double> bits(n), exact(n);
        fill_input(buffer, {stream, 0, 1}, seed, kind == "special" ? Values::special : Values::plain, bits.data(),
                   exact.data());
        for (size_t i = 0; i < n; i++) {
            double stored = decode(buffer.dtype, bits.data(), i);
            if (stored != exact[i] && !std::isnan(stored)) { return "the two copies differ"; }
            text += format("%a ", exact[i]);
        }
        return text;
    }
    if (question == "compare") {  // DTYPE COLUMNS BLOCK ULPS FLUSH COUNT, then COUNT x GOT_BITS EXPECTED
        size_t columns, n;
        int block;
        in >> dtype >> columns >> block;
        Tolerance tolerance{read_double(in), read_double(in)};
        in >> n;
        return with_format(dtype_named(dtype), [&](auto f) {
            using Format = decltype(f);
            std::vector<typename Format::Bits> got(n);
            std::vector<double> expected(n);
            for (size_t i = 0; i < n; i++) {
                uint64_t bits;
                in >> std::hex >> bits >> std::dec;
                got[i] = typename Format::Bits(bits);
                expected[i] = read_double(in);
            }
            Comparison c = compare(dtype_named(dtype), got.data(), expected.data(), nullptr, n, tolerance);
            Shape shape = columns > 1 ? Shape{n / columns, columns} : Shape(n);
            return format("wrong %zu unwritten %zu nan %zu worst %.6g at %zu: %s", c.wrong, c.unwritten, c.nan,
                          c.worst_ulp, c.worst, c.ok() ? "ok" : pattern(c, shape, block).c_str());
        });
    }
    if (question == "size") {
        std::string text;
        in >> text;
        return std::to_string(parse_size(text, "N"));
    }
    if (question == "json") {
        std::string text;
        std::getline(in >> std::ws, text);
        JsonWriter json;
        json.open('{');
        json.member("text", text + "\n\t\"\\");
        json.member("nan", std::nan(""));
        json.key("list").open('[');
        json.value(1);
        json.open('{');
        json.close('}');
        json.value(true);
        json.close(']');
        json.close('}');
        std::string one_line;
        for (char c : json.text()) { one_line += c == '\n' ? ' ' : c; }
        return one_line;
    }
    if (question == "sizes") {  // BLOCK NAME...: the sizes that are checked
        int block;
        std::string name, text;
        Dims dims;
        in >> block;
        while (in >> name) { dims.push_back({name, 4096}); }
        for (const CheckedSize& size : checked_sizes(dims, {block})) { text += to_string(size.dims) + ";"; }
        return text;
    }
    return "unknown question " + question;
}

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream in(line);
        try {
            std::cout << answer(in) << "\n";
        } catch (const std::exception& error) { std::cout << "error: " << error.what() << "\n"; }
    }
}
