// cuBLAS, as far as it is there: see the calls below. Matrices are column-major.
#pragma once
#include <stdint.h>

#include "cuda_cpu/api_types.h"
#include "cuda_cpu/data_types.h"

#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VER_BUILD 0
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

typedef struct cublasContext* cublasHandle_t;

// clang-format off
#define CUDA_CPU_BLAS_STATUSES(X)                                                 \
    X(CUBLAS_STATUS_SUCCESS, 0, "success")                                        \
    X(CUBLAS_STATUS_NOT_INITIALIZED, 1, "the library was not initialized")        \
    X(CUBLAS_STATUS_ALLOC_FAILED, 3, "the resource allocation failed")            \
    X(CUBLAS_STATUS_INVALID_VALUE, 7, "an unsupported value or parameter was passed to the function") \
    X(CUBLAS_STATUS_ARCH_MISMATCH, 8, "the function requires a feature that this architecture lacks") \
    X(CUBLAS_STATUS_MAPPING_ERROR, 11, "an access to GPU memory space failed")    \
    X(CUBLAS_STATUS_EXECUTION_FAILED, 13, "the function failed to launch on the GPU") \
    X(CUBLAS_STATUS_INTERNAL_ERROR, 14, "an internal operation failed")           \
    X(CUBLAS_STATUS_NOT_SUPPORTED, 15, "the functionality requested is not supported") \
    X(CUBLAS_STATUS_LICENSE_ERROR, 16, "the functionality requested requires some license")
// clang-format on

typedef enum {
#define CUDA_CPU_ENUMERATOR(name, number, text) name = number,
    CUDA_CPU_BLAS_STATUSES(CUDA_CPU_ENUMERATOR)
#undef CUDA_CPU_ENUMERATOR
} cublasStatus_t;

typedef enum {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2,
    CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, size_t bytes);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);

#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSetWorkspace cublasSetWorkspace_v2

// geam: C = alpha op(A) + beta op(B), C is m x n. C may be A or B where that one is not transposed.
// dgmm: C = diag(X) A (left) or A diag(X) (right), A and C are m x n. C may be A.
#define CUDA_CPU_BLAS_DECLARE(letter, T, suffix, Int)                                                               \
    cublasStatus_t cublas##letter##geam##suffix(cublasHandle_t handle, cublasOperation_t transa,                    \
                                                cublasOperation_t transb, Int m, Int n, const T* alpha, const T* A, \
                                                Int lda, const T* beta, const T* B, Int ldb, T* C, Int ldc);        \
    cublasStatus_t cublas##letter##dgmm##suffix(cublasHandle_t handle, cublasSideMode_t mode, Int m, Int n,         \
                                                const T* A, Int lda, const T* x, Int incx, T* C, Int ldc);
CUDA_CPU_BLAS_DECLARE(S, float, , int)
CUDA_CPU_BLAS_DECLARE(D, double, , int)
CUDA_CPU_BLAS_DECLARE(S, float, _64, int64_t)
CUDA_CPU_BLAS_DECLARE(D, double, _64, int64_t)
#undef CUDA_CPU_BLAS_DECLARE

#ifdef __cplusplus
}
#endif
