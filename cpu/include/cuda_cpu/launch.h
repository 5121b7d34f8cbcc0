// What `kernel<<<grid, block, shared, stream>>>(arguments)` becomes: kernel(...)(grid, block, shared,
// stream)(arguments).
#pragma once
#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "cuda_cpu/api.h"
#include "cuda_cpu/builtins.h"

namespace cuda_cpu {

struct Config {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
};

// A kernel with its arguments bound, as the scheduler sees it.
struct Call {
    void (*run_blocks)(const void* body, uint64_t begin, uint64_t end);  // blocks [begin, end), each by one plain loop
    void (*run_thread)(const void* body);                                // one thread of the current block
    const void* body;
    const void* address;  // the kernel's, or null where it has no name
    const char* name;
    const char* file;  // of the launch
    int line;
};

// Runs the grid and returns when it is done. A launch that CUDA would refuse sets the last error and runs nothing.
void launch(const Config& config, const Call& call);

// A block that met a barrier goes on as one fiber a thread, and the plain loop has become one of them.
extern __thread bool block_is_promoted;
void wait_for_block();
// Sets blockIdx and makes the block's state new.
void begin_block(uint64_t block);

// Inlining all that the kernel calls into the loop is what makes it about as fast as the loop that one would write by
// hand.
#if defined(__OPTIMIZE__) && !defined(__CUDA__)
#define CUDA_CPU_FLATTEN __attribute__((flatten))
#else
#define CUDA_CPU_FLATTEN
#endif

template <class Body>
CUDA_CPU_FLATTEN void run_blocks(const void* pointer, uint64_t begin, uint64_t end) {
    const Body body = *static_cast<const Body*>(pointer);  // a copy that nothing else can change
    const uint3 size = {blockDim.x, blockDim.y, blockDim.z};
    for (uint64_t block = begin; block < end; block++) {
        begin_block(block);
        for (unsigned z = 0; z < size.z; z++) {
            for (unsigned y = 0; y < size.y; y++) {
                threadIdx.y = y;
                threadIdx.z = z;
                for (unsigned x = 0; x < size.x; x++) {
                    threadIdx.x = x;
                    body();
                    if (__builtin_expect(block_is_promoted, false)) { goto promoted; }
                }
            }
        }
        continue;
    promoted:
        wait_for_block();
    }
}

template <class Body>
__attribute__((noinline, cold)) void run_thread(const void* body) {
    (*static_cast<const Body*>(body))();
}

// The kernel that a name stands for; no match where the name alone does not say which, as with deduced arguments.
template <class... Parameters>
auto address(int, void (*kernel)(Parameters...)) {
    return kernel;
}

// The call of a kernel with its configuration. The arguments are copied once here; each thread gets its own copy of
// them.
template <class Function>
struct Launcher {
    const Function& function;
    Config config;
    Call call;

    template <class... Arguments>
    void run(Arguments... arguments) {
        auto body = [this_function = function, arguments...] { this_function(arguments...); };
        call.run_blocks = run_blocks<decltype(body)>;
        call.run_thread = run_thread<decltype(body)>;
        call.body = &body;
        launch(config, call);
    }
};

// Address: the type of the kernel's address, or void.
template <class Function, class Address>
struct Launch : Launcher<Function> {
    template <class... Arguments>
    void operator()(Arguments... arguments) {
        this->run(arguments...);
    }
};

// Where the parameters are known, arguments are converted to them before they are copied, as in any call.
template <class Function, class... Parameters>
struct Launch<Function, void (*)(Parameters...)> : Launcher<Function> {
    void operator()(Parameters... parameters) { this->run(parameters...); }

    // Fewer arguments: the kernel has default ones.
    template <class... Arguments, class = std::enable_if_t<sizeof...(Arguments) != sizeof...(Parameters)>>
    void operator()(Arguments... arguments) {
        this->run(arguments...);
    }
};

template <class Function, class Address>
struct Kernel {
    const Function& function;
    Call call;

    Launch<Function, Address> operator()(dim3 grid, dim3 block, size_t shared = 0,
                                         cudaStream_t stream = nullptr) const {
        return {{function, {grid, block, shared, stream}, call}};
    }
};

template <class GetAddress, class Function>
auto kernel(const char* name, const GetAddress& get_address, const Function& function,
            const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    Call call = {nullptr, nullptr, nullptr, nullptr, name, file, line};
    if constexpr (std::is_invocable_v<GetAddress, int>) {
        const auto address = get_address(0);
        call.address = reinterpret_cast<const void*>(address);
        return Kernel<Function, std::decay_t<decltype(address)>>{function, call};
    } else {
        return Kernel<Function, void>{function, call};
    }
}

// Where `extern __shared__` points to: 1024-aligned, the same for all blocks that a thread of the machine runs.
void* dynamic_shared_memory();

template <class Reference>
Reference dynamic_shared() {
    return *static_cast<std::remove_reference_t<Reference>*>(dynamic_shared_memory());
}

}  // namespace cuda_cpu
