#pragma once
#include "cuda_cpu/api.h"

namespace cuda_cpu {

// Every API call returns through this: an error is also the thread's last error.
cudaError_t report(cudaError_t error);

// False for a handle that cudaStreamCreate did not give or that is destroyed.
bool is_stream(cudaStream_t stream);

}  // namespace cuda_cpu
