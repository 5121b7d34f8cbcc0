// What a kernel file says of its operation. Problem is what define_problem talks to; it fills a Definition, which the
// rest of the harness reads. Defining allocates nothing and touches no device.
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "dtype.h"
#include "error.h"

namespace brrr {

// The values of an input: uniform in [low, high). Some checked sizes mix in special values (zeros, denormals, the
// largest finite number, infinities, NaN, +-100000): those inside the domain, which is everything unless it is
// narrowed.
struct Distribution {
    double low, high;
    double domain_low = -std::numeric_limits<double>::infinity();
    double domain_high = std::numeric_limits<double>::infinity();

    // Where the operation is defined: uniform(0, 1).domain(0, 1) never makes a -1 or an infinity.
    Distribution domain(double from, double to) const { return {low, high, from, to}; }
};
inline Distribution uniform(double low, double high) {
    return Distribution{low, high};
}

// N, or {rows, cols}: the sizes of an array, slowest dimension first.
struct Shape {
    std::vector<size_t> sizes;
    Shape(size_t n) : sizes{n} {}
    Shape(std::initializer_list<size_t> list) : sizes(list) {}

    size_t elements() const {
        size_t n = 1;
        for (size_t size : sizes) {
            if (__builtin_mul_overflow(n, size, &n)) { throw UsageError("an array of more than 2^64 elements"); }
        }
        return n;
    }
};

// input: made by the harness. output: compared with the reference. inout: made, changed by a version, and compared.
// scratch: a version's work space, poisoned, not compared. point: float64 on the host, only for the gradient check.
enum class Role { input, output, inout, scratch, point };

struct Buffer {
    std::string name;
    Role role;
    DType dtype;
    Shape shape;
    Distribution values;  // of an input, inout or point

    bool made() const { return role == Role::input || role == Role::inout; }
    bool compared() const { return role == Role::output || role == Role::inout; }
    size_t elements() const { return shape.elements(); }
    size_t bytes() const {
        size_t n;
        if (__builtin_mul_overflow(elements(), dtype_size(dtype), &n)) {
            throw UsageError(name + " is over 2^64 bytes");
        }
        return n;
    }
};

// What define_problem passes around for an array: becomes T* for a version and double* for the reference.
template <class T>
struct Handle {
    size_t index;
};

// One array pointer per buffer, in the order of the definition.
using Pointers = void* const*;

struct Dim {
    std::string name;
    size_t size;
    bool operator==(const Dim& other) const { return name == other.name && size == other.size; }
};
using Dims = std::vector<Dim>;

inline std::string to_string(const Dims& dims) {
    std::string text;
    for (const Dim& dim : dims) { text += (text.empty() ? "" : " ") + dim.name + "=" + std::to_string(dim.size); }
    return text;
}

template <class T>
bool contains(const std::vector<T>& list, const T& item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

inline std::vector<int> default_block_sizes() {
    return {32, 64, 128, 256, 512, 1024};
}

struct Version {
    int id = 0;
    std::string description;
    bool takes_block_size = true;                     // false: a library's call, a baseline
    std::function<void(Pointers, int block)> launch;  // block is ignored by a baseline
    std::vector<int> block_sizes = default_block_sizes();
    std::vector<const void*> kernels;
    int arch = 0;       // the least compute capability, 90 for 9.0
    std::string unmet;  // what it needs and these dimensions or this dtype do not give
    bool any_order = false;

    // Names the __global__ function that the launcher starts (call it once for each), for registers, shared memory and
    // occupancy in the table, and so that a block size that its registers forbid is skipped and not an error.
    template <class... Args>
    Version& kernel(void (*function)(Args...)) {
        kernels.push_back(reinterpret_cast<const void*>(function));
        return *this;
    }
    // The only block sizes that this version can take.
    Version& only_block_sizes(std::vector<int> sizes) {
        block_sizes = std::move(sizes);
        return *this;
    }
    // Says "version 4 needs <what>" and skips the version where the condition does not hold.
    Version& needs(bool condition, const std::string& what) {
        if (!condition && unmet.empty()) { unmet = what; }
        return *this;
    }
    // The order of its additions is free (atomics): runs may differ in bits, each must be within the bound.
    Version& order_free() {
        any_order = true;
        return *this;
    }
    Version& needs_arch(int compute_capability) {
        arch = compute_capability;
        return *this;
    }
};

// How far an element may be from the float64 reference: ulps units in the last place of the output's dtype, plus
// `flush`, an absolute allowance for results too small to be normal numbers (--use_fast_math flushes those to zero),
// plus, for sums, `sum` times the magnitude of what is summed up. docs/checking.md derives it.
struct Tolerance {
    double ulps;
    double flush;
    double sum = 0;
};

// A backward pass as the derivative of a forward pass: gradient.first must be d sum(loss.first * loss.second) /
// d gradient.second, where forward computes loss.second.
struct GradCheck {
    std::function<void(Pointers)> forward;
    size_t upstream = 0, result = 0;
    std::vector<std::pair<size_t, size_t>> gradients;

    // The loss is sum(dout * out): dout is an input of the versions, out is what forward writes.
    template <class T>
    GradCheck& loss(Handle<T> dout, Handle<T> out) {
        upstream = dout.index, result = out.index;
        return *this;
    }
    // The versions' output dinp must be the loss's derivative with respect to inp, which forward reads.
    template <class T, class U>
    GradCheck& gradient(Handle<T> dinp, Handle<U> inp) {
        gradients.push_back({dinp.index, inp.index});
        return *this;
    }
};

struct Definition {
    Dims dims;
    std::vector<DType> dtypes;
    DType dtype = DType::f32;
    std::vector<Buffer> buffers;
    std::function<void(Pointers)> reference;  // over arrays of double
    std::deque<Version> versions;
    double bytes = 0;  // the fewest that the operation must move through memory
    double flops = 0;
    double ulps = 0;  // 0: the dtype's default
    std::string ulps_reason;
    double terms = 0;                         // added up for an output element; 0: no sum
    std::function<void(Pointers)> magnitude;  // like reference, of the terms' absolute values
    GradCheck gradcheck;

    const Version& version(int id) const {
        for (const Version& version : versions) {
            if (version.id == id) { return version; }
        }
        throw UsageError("define_problem gives no version " + std::to_string(id) + " at " + to_string(dims));
    }
    Tolerance tolerance(DType of) const {
        bool low_precision = of == DType::f16 || of == DType::bf16;
        bool flushes = of == DType::f32 || of == DType::bf16;  // half is float32 normal, float64 is never flushed
        double smallest = with_format(of, [](auto format) { return format.smallest_normal(); });
        double unit = of == DType::f64 ? 0x1p-53 : 0x1p-24;  // of the type that is accumulated in
        return {ulps > 0 ? ulps : low_precision ? 1.0 : 4.0, flushes ? smallest : 0.0, 4 * unit * std::sqrt(terms)};
    }
    size_t bytes_of(Role role) const {
        size_t n = 0;
        for (const Buffer& buffer : buffers) {
            if (buffer.role == role && __builtin_add_overflow(n, buffer.bytes(), &n)) {
                throw UsageError("these sizes need over 2^64 bytes");
            }
        }
        return n;
    }
};

class Problem {
  public:
    // The harness makes these; sizes overrides dimensions by name. dtype is the first that the file names unless given.
    explicit Problem(const Dims& sizes = {}, const DType* dtype = nullptr) : sizes_(sizes), wanted_(dtype) {}

    // The element types the operation works in, the default first; define(t) is called with a t of the chosen type.
    template <class... Ts, class Define>
    void dtypes(Define define) {
        definition_.dtypes = {dtype_of<Ts>()...};
        definition_.dtype = wanted_ ? *wanted_ : definition_.dtypes.front();
        ((dtype_of<Ts>() == definition_.dtype ? define(Ts{}) : void()), ...);
    }

    // A size of the problem and its default for timing; the command line sets it as NAME=SIZE.
    size_t dim(const std::string& name, size_t size) {
        for (const Dim& given : sizes_) {
            if (given.name == name) { size = given.size; }
        }
        definition_.dims.push_back({name, size});
        return size;
    }

    template <class T>
    Handle<T> input(const std::string& name, Shape shape, Distribution values) {
        return add<T>(name, Role::input, std::move(shape), values);
    }
    template <class T>
    Handle<T> output(const std::string& name, Shape shape) {
        return add<T>(name, Role::output, std::move(shape), {});
    }
    template <class T>
    Handle<T> inout(const std::string& name, Shape shape, Distribution values) {
        return add<T>(name, Role::inout, std::move(shape), values);
    }
    template <class T>
    Handle<T> scratch(const std::string& name, Shape shape) {
        return add<T>(name, Role::scratch, std::move(shape), {});
    }
    // Where the gradient check differentiates the forward pass: an array that the versions do not see.
    Handle<double> point(const std::string& name, Shape shape, Distribution values) {
        return add<double>(name, Role::point, std::move(shape), values);
    }

    // The operation in float64 on the host, called with the arguments that follow it.
    template <class F, class... Args>
    void reference(F function, Args... args) {
        definition_.reference = [=](Pointers pointers) { function(bind_host(args, pointers)...); };
    }

    // A way to compute it: launcher(args..., int block_size), or launcher(args...) for a library call, a baseline.
    template <class F, class... Args>
    Version& version(int id, const std::string& description, F launcher, Args... args) {
        constexpr bool takes_block = std::is_invocable_v<F, decltype(bind_device(args, Pointers{}))..., int>;
        static_assert(takes_block || std::is_invocable_v<F, decltype(bind_device(args, Pointers{}))...>,
                      "a launcher takes the arguments that p.version lists and then int block_size");
        for (const Version& other : definition_.versions) {
            if (other.id == id) { throw UsageError("define_problem has two versions " + std::to_string(id)); }
        }
        auto launch = [=](Pointers pointers, int block) {
            if constexpr (takes_block) {
                launcher(bind_device(args, pointers)..., block);
            } else {
                (void)block;
                launcher(bind_device(args, pointers)...);
            }
        };
        Version& added = definition_.versions.emplace_back();
        added.id = id;
        added.description = description;
        added.takes_block_size = takes_block;
        added.launch = launch;
        return added;
    }

    // Overrides the bytes that must move, which default to every input and output once; and the operations.
    void bytes(double count) { definition_.bytes = count; }
    void flops(double count) { definition_.flops = count; }

    // Overrides the dtype's default bound on the error; the reason is printed with --list.
    void tolerance(double ulps, const std::string& reason) {
        definition_.ulps = ulps;
        definition_.ulps_reason = reason;
    }

    // Output elements are sums of this many terms: the bound gets 4 u sqrt(terms) magnitude more, u the unit roundoff
    // of float (of double in f64). magnitude(args...) is called like the reference and writes sum |term| to the
    // outputs; without it, the result's own size is taken, which is right for terms of one sign.
    void sums(size_t terms) { definition_.terms = double(terms); }
    template <class F, class... Args>
    void sums(size_t terms, F magnitude, Args... args) {
        definition_.terms = double(terms);
        definition_.magnitude = [=](Pointers pointers) { magnitude(bind_host(args, pointers)...); };
    }

    // For a backward file: forward(args...) is the pass that the versions differentiate, in float64 on the host.
    template <class F, class... Args>
    GradCheck& gradcheck(F forward, Args... args) {
        definition_.gradcheck.forward = [=](Pointers pointers) { forward(bind_host(args, pointers)...); };
        return definition_.gradcheck;
    }

    // The finished definition, for the harness.
    Definition finish() {
        if (definition_.versions.empty() || !definition_.reference) {
            throw UsageError("define_problem gives no version or no reference");
        }
        if (definition_.bytes == 0) {
            definition_.bytes = double(definition_.bytes_of(Role::input)) + double(definition_.bytes_of(Role::output)) +
                                2 * double(definition_.bytes_of(Role::inout));
        }
        return std::move(definition_);
    }

  private:
    template <class T>
    Handle<T> add(const std::string& name, Role role, Shape shape, Distribution values) {
        definition_.buffers.push_back({name, role, dtype_of<T>(), std::move(shape), values});
        return {definition_.buffers.size() - 1};
    }
    template <class T>
    static T* bind_device(Handle<T> handle, Pointers pointers) {
        return static_cast<T*>(pointers[handle.index]);
    }
    template <class T>
    static double* bind_host(Handle<T> handle, Pointers pointers) {
        return static_cast<double*>(pointers[handle.index]);
    }
    template <class A>
    static A bind_device(A argument, Pointers) {
        return argument;
    }
    template <class A>
    static A bind_host(A argument, Pointers) {
        return argument;
    }

    Dims sizes_;
    const DType* wanted_;
    Definition definition_;
};

}  // namespace brrr
