// The two ways in which a run can end before its result, as exceptions that main turns into an exit status.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace brrr {

enum ExitStatus { kOk = 0, kCheckFailed = 1, kUsage = 2, kMachine = 3 };

// The command line (or define_problem) asks for what does not exist.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The machine cannot do it: no device, not enough memory, a failed CUDA call.
struct MachineError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline void check_cuda(cudaError_t error, const char* call, const char* file, int line) {
    if (error == cudaSuccess) { return; }
    throw MachineError(std::string(file) + ":" + std::to_string(line) + ": CUDA error " + cudaGetErrorName(error) +
                       " (" + cudaGetErrorString(error) + ") from " + call);
}

}  // namespace brrr

// Wraps every call that returns a cudaError_t; a failure ends the run with file, line and the call's text.
#define cudaCheck(call) ::brrr::check_cuda((call), #call, __FILE__, __LINE__)
