// The driver API's version and handle types. Of its functions there is none on a CPU: a call does not compile.
#pragma once
#include "cuda_cpu/api_types.h"

#define CUDA_VERSION CUDART_VERSION
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
