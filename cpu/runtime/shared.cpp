// The memory that `extern __shared__` names.
#include <stdlib.h>

#include "cuda_cpu/launch.h"
#include "device_limits.h"
#include "schedule.h"

#ifdef CUDA_CPU_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace cuda_cpu {

namespace {

struct Memory {
    char* bytes = static_cast<char*>(aligned_alloc(1024, max_shared_optin));
    ~Memory() { free(bytes); }
};

}  // namespace

void* dynamic_shared_memory() {
    static thread_local Memory own;
    return own.bytes;
}

void limit_dynamic_shared(size_t bytes) {
#ifdef CUDA_CPU_ASAN
    char* memory = static_cast<char*>(dynamic_shared_memory());
    __asan_unpoison_memory_region(memory, bytes);
    __asan_poison_memory_region(memory + bytes, max_shared_optin - bytes);
#else
    (void)bytes;
#endif
}

}  // namespace cuda_cpu
