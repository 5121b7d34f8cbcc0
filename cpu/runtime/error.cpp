#include "error.h"

static __thread cudaError_t last_error;

namespace cuda_cpu {

cudaError_t report(cudaError_t error) {
    if (error != cudaSuccess && error != cudaErrorNotReady) { last_error = error; }
    return error;
}

}  // namespace cuda_cpu

cudaError_t cudaGetLastError() {
    const cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError() {
    return last_error;
}

const char* cudaGetErrorName(cudaError_t error) {
    switch (error) {
#define CUDA_CPU_NAME(name, number, text) \
    case name:                            \
        return #name;
        CUDA_CPU_ERRORS(CUDA_CPU_NAME)
#undef CUDA_CPU_NAME
    }
    return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
#define CUDA_CPU_TEXT(name, number, text) \
    case name:                            \
        return text;
        CUDA_CPU_ERRORS(CUDA_CPU_TEXT)
#undef CUDA_CPU_TEXT
    }
    return "unrecognized error code";
}
