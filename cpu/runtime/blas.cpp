// cuBLAS as plain loops over the pool's threads.
#include "cuda_cpu/blas.h"

#include <algorithm>

#include "error.h"
#include "schedule.h"

struct cublasContext {
    cudaStream_t stream = nullptr;
    cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
    cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
};

namespace {

using cuda_cpu::parallel;

// The columns that a range of work has, so that a transposed matrix is read by whole lines of the cache.
constexpr int64_t tile = 16;

// A matrix as geam sees it: op(M) is rows x columns, and is not read at all where its factor is 0.
template <class T>
struct Operand {
    cublasOperation_t op;
    T factor;
    const T* data;
    int64_t ld;

    bool valid(int64_t m, int64_t n, const T* C, int64_t ldc) const {
        if (op != CUBLAS_OP_N && op != CUBLAS_OP_T && op != CUBLAS_OP_C) { return false; }
        if (ld < std::max<int64_t>(1, op == CUBLAS_OP_N ? m : n)) { return false; }
        if (factor != T(0) && !data && m && n) { return false; }
        return data != C || factor == T(0) || (op == CUBLAS_OP_N && ld == ldc);
    }
    T at(int64_t i, int64_t j) const {
        if (factor == T(0)) { return T(0); }
        return factor * data[op == CUBLAS_OP_N ? i + j * ld : j + i * ld];
    }
};

template <class T>
cublasStatus_t geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n,
                    const T* alpha, const T* A, int64_t lda, const T* beta, const T* B, int64_t ldb, T* C,
                    int64_t ldc) {
    if (!handle) { return CUBLAS_STATUS_NOT_INITIALIZED; }
    if (m < 0 || n < 0 || ldc < std::max<int64_t>(1, m) || !alpha || !beta) { return CUBLAS_STATUS_INVALID_VALUE; }
    const Operand<T> a = {transa, *alpha, A, lda}, b = {transb, *beta, B, ldb};
    if (!a.valid(m, n, C, ldc) || !b.valid(m, n, C, ldc) || (!C && m && n)) { return CUBLAS_STATUS_INVALID_VALUE; }
    parallel((n + tile - 1) / tile, [&](uint64_t begin, uint64_t end) {
        const int64_t last = std::min<int64_t>(end * tile, n);
        for (int64_t first = begin * tile; first < last; first += tile) {
            for (int64_t row = 0; row < m; row += tile) {
                for (int64_t j = first; j < std::min(first + tile, last); j++) {
                    for (int64_t i = row; i < std::min(row + tile, m); i++) {
                        C[i + j * ldc] = a.at(i, j) + b.at(i, j);
                    }
                }
            }
        }
    });
    return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t dgmm(cublasHandle_t handle, cublasSideMode_t mode, int64_t m, int64_t n, const T* A, int64_t lda,
                    const T* x, int64_t incx, T* C, int64_t ldc) {
    if (!handle) { return CUBLAS_STATUS_NOT_INITIALIZED; }
    if (m < 0 || n < 0 || lda < std::max<int64_t>(1, m) || ldc < std::max<int64_t>(1, m) ||
        (mode != CUBLAS_SIDE_LEFT && mode != CUBLAS_SIDE_RIGHT) || (m && n && (!A || !x || !C)) ||
        (A == C && lda != ldc)) {
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    // A negative step begins at the last element.
    const int64_t length = mode == CUBLAS_SIDE_LEFT ? m : n;
    const T* X = incx < 0 ? x - (length - 1) * incx : x;
    parallel(n, [=](uint64_t begin, uint64_t end) {
        for (int64_t j = begin; j < static_cast<int64_t>(end); j++) {
            for (int64_t i = 0; i < m; i++) {
                C[i + j * ldc] = A[i + j * lda] * X[(mode == CUBLAS_SIDE_LEFT ? i : j) * incx];
            }
        }
    });
    return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

#define CUDA_CPU_BLAS_DEFINE(letter, T, suffix, Int)                                                                \
    cublasStatus_t cublas##letter##geam##suffix(cublasHandle_t handle, cublasOperation_t transa,                    \
                                                cublasOperation_t transb, Int m, Int n, const T* alpha, const T* A, \
                                                Int lda, const T* beta, const T* B, Int ldb, T* C, Int ldc) {       \
        return geam<T>(handle, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc);                          \
    }                                                                                                               \
    cublasStatus_t cublas##letter##dgmm##suffix(cublasHandle_t handle, cublasSideMode_t mode, Int m, Int n,         \
                                                const T* A, Int lda, const T* x, Int incx, T* C, Int ldc) {         \
        return dgmm<T>(handle, mode, m, n, A, lda, x, incx, C, ldc);                                                \
    }
CUDA_CPU_BLAS_DEFINE(S, float, , int)
CUDA_CPU_BLAS_DEFINE(D, double, , int)
CUDA_CPU_BLAS_DEFINE(S, float, _64, int64_t)
CUDA_CPU_BLAS_DEFINE(D, double, _64, int64_t)

// ----------------------------------------------------------------------------
// handles

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
    if (!handle) { return CUBLAS_STATUS_INVALID_VALUE; }
    *handle = new cublasContext;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
    if (!handle) { return CUBLAS_STATUS_NOT_INITIALIZED; }
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int* version) {
    if (!version) { return CUBLAS_STATUS_INVALID_VALUE; }
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
    if (!handle) { return CUBLAS_STATUS_NOT_INITIALIZED; }
    if (!cuda_cpu::is_stream(stream)) { return CUBLAS_STATUS_INVALID_VALUE; }
    handle->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void*, size_t) {
    return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

namespace {

template <class T>
cublasStatus_t set(cublasHandle_t handle, T cublasContext::*member, T value) {
    if (!handle) { return CUBLAS_STATUS_NOT_INITIALIZED; }
    handle->*member = value;
    return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t get(cublasHandle_t handle, T cublasContext::*member, T* value) {
    if (!handle) { return CUBLAS_STATUS_NOT_INITIALIZED; }
    if (!value) { return CUBLAS_STATUS_INVALID_VALUE; }
    *value = handle->*member;
    return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream) {
    return get(handle, &cublasContext::stream, stream);
}
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
    return set(handle, &cublasContext::pointer_mode, mode);
}
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
    return get(handle, &cublasContext::pointer_mode, mode);
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
    return set(handle, &cublasContext::math_mode, mode);
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
    return get(handle, &cublasContext::math_mode, mode);
}

const char* cublasGetStatusName(cublasStatus_t status) {
    switch (status) {
#define CUDA_CPU_NAME(name, number, text) \
    case name:                            \
        return #name;
        CUDA_CPU_BLAS_STATUSES(CUDA_CPU_NAME)
#undef CUDA_CPU_NAME
    }
    return "unknown status";
}

const char* cublasGetStatusString(cublasStatus_t status) {
    switch (status) {
#define CUDA_CPU_TEXT(name, number, text) \
    case name:                            \
        return text;
        CUDA_CPU_BLAS_STATUSES(CUDA_CPU_TEXT)
#undef CUDA_CPU_TEXT
    }
    return "unknown status";
}
