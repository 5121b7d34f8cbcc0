#pragma once
#include <stddef.h>

namespace cuda_cpu {

// Bytes of memory that this program may use in all, and that are free now; a container's limit counts.
size_t total_memory();
size_t available_memory();

}  // namespace cuda_cpu
