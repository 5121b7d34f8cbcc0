// For kernel files with a cuBLAS baseline: cublasCheck and one handle. Link with -lcublas.
#pragma once

#include <cublas_v2.h>

#include <string>

#include "error.h"

namespace brrr {

inline void check_cublas(cublasStatus_t status, const char* call, const char* file, int line) {
    if (status == CUBLAS_STATUS_SUCCESS) { return; }
    throw MachineError(std::string(file) + ":" + std::to_string(line) + ": cuBLAS error " +
                       cublasGetStatusName(status) + " (" + cublasGetStatusString(status) + ") from " + call);
}

}  // namespace brrr

// Wraps every call that returns a cublasStatus_t; a failure ends the run with file, line and the call's text.
#define cublasCheck(call) ::brrr::check_cublas((call), #call, __FILE__, __LINE__)

// Made at the first call (which takes a while) and kept until the program ends.
inline cublasHandle_t cublas_handle() {
    static cublasHandle_t handle = [] {
        cublasHandle_t created;
        cublasCheck(cublasCreate(&created));
        return created;
    }();
    return handle;
}
