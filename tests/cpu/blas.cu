// cublas geam and dgmm against their definitions.
#include <cublas_v2.h>
#include <math.h>
#include <string.h>

#include "check.h"

template <class T>
struct Calls;
template <>
struct Calls<float> {
    static constexpr auto geam = cublasSgeam;
    static constexpr auto dgmm = cublasSdgmm;
    static constexpr auto geam64 = cublasSgeam_64;
};
template <>
struct Calls<double> {
    static constexpr auto geam = cublasDgeam;
    static constexpr auto dgmm = cublasDdgmm;
    static constexpr auto geam64 = cublasDgeam_64;
};

template <class T>
void check_geam(cublasHandle_t handle, int m, int n, cublasOperation_t ta, cublasOperation_t tb, T alpha, T beta) {
    const int lda = (ta == CUBLAS_OP_N ? m : n) + 3, ldb = (tb == CUBLAS_OP_N ? m : n) + 1, ldc = m + 2;
    const int size = (m + n + 8) * (m + n + 8);
    T *A = managed<T>(size), *B = managed<T>(size), *C = managed<T>(size);
    for (int i = 0; i < size; i++) {
        A[i] = T(i % 17);
        B[i] = T(i % 23) - 4;
        C[i] = T(-1000);
    }
    if (alpha == 0) { A[0] = NAN; }  // must not be read
    CHECK(Calls<T>::geam(handle, ta, tb, m, n, &alpha, A, lda, &beta, B, ldb, C, ldc) == CUBLAS_STATUS_SUCCESS);
    OK(cudaDeviceSynchronize());
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < ldc; i++) {
            T a = alpha == 0 ? 0 : alpha * A[ta == CUBLAS_OP_N ? i + j * lda : j + i * lda];
            T b = beta == 0 ? 0 : beta * B[tb == CUBLAS_OP_N ? i + j * ldb : j + i * ldb];
            CHECK(C[i + j * ldc] == (i < m ? a + b : T(-1000)));
        }
    }
    T* copy = managed<T>(size);
    CHECK(Calls<T>::geam64(handle, ta, tb, m, n, &alpha, A, lda, &beta, B, ldb, copy, ldc) == CUBLAS_STATUS_SUCCESS);
    OK(cudaDeviceSynchronize());
    for (int j = 0; j < n; j++) { CHECK(memcmp(copy + j * ldc, C + j * ldc, m * sizeof(T)) == 0); }
    for (T* p : {A, B, C, copy}) { OK(cudaFree(p)); }
}

template <class T>
void check_dgmm(cublasHandle_t handle, int m, int n, cublasSideMode_t mode, int incx) {
    const int lda = m + 1, ldc = m + 2, length = mode == CUBLAS_SIDE_LEFT ? m : n;
    T *A = managed<T>(lda * n), *C = managed<T>(ldc * n), *x = managed<T>(length * 3 + 1);
    for (int i = 0; i < lda * n; i++) { A[i] = T(i % 19); }
    for (int i = 0; i < length * 3 + 1; i++) { x[i] = T(i); }
    CHECK(Calls<T>::dgmm(handle, mode, m, n, A, lda, x, incx, C, ldc) == CUBLAS_STATUS_SUCCESS);
    OK(cudaDeviceSynchronize());
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) {
            int k = mode == CUBLAS_SIDE_LEFT ? i : j;
            int at = incx < 0 ? (length - 1 - k) * -incx : k * incx;
            CHECK(C[i + j * ldc] == A[i + j * lda] * x[at]);
        }
    }
    for (T* p : {A, C, x}) { OK(cudaFree(p)); }
}

template <class T>
void check_all(cublasHandle_t handle) {
    for (int m : {1, 16, 33}) {
        for (int n : {1, 15, 40}) {
            for (cublasOperation_t ta : {CUBLAS_OP_N, CUBLAS_OP_T}) {
                for (cublasOperation_t tb : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
                    check_geam<T>(handle, m, n, ta, tb, 2, 3);
                    check_geam<T>(handle, m, n, ta, tb, 0, 1);
                    check_geam<T>(handle, m, n, ta, tb, 1, 0);
                }
            }
            for (int incx : {1, 2, 0, -1, -3}) {
                check_dgmm<T>(handle, m, n, CUBLAS_SIDE_LEFT, incx);
                check_dgmm<T>(handle, m, n, CUBLAS_SIDE_RIGHT, incx);
            }
        }
    }
}

int main() {
    cublasHandle_t handle;
    CHECK(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
    check_all<float>(handle);
    check_all<double>(handle);
    float *C = managed<float>(16), one = 1;
    for (int i = 0; i < 16; i++) { C[i] = i; }
    CHECK(cublasSgeam(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, &one, C, 4, &one, C, 4, C, 4) == CUBLAS_STATUS_SUCCESS);
    OK(cudaDeviceSynchronize());
    CHECK(C[15] == 30);
    CHECK(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 4, 4, &one, C, 4, &one, C, 4, C, 4) ==
          CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasSgeam(handle, CUBLAS_OP_N, CUBLAS_OP_N, -1, 4, &one, C, 4, &one, C, 4, C, 4) ==
          CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasSgeam(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, &one, C, 3, &one, C, 4, C, 4) ==
          CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasSgeam(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, &one, C, 4, &one, C, 4, C, 4) ==
          CUBLAS_STATUS_NOT_INITIALIZED);
    CHECK(strcmp(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE), "CUBLAS_STATUS_INVALID_VALUE") == 0);
    int version = 0;
    CHECK(cublasGetVersion(handle, &version) == CUBLAS_STATUS_SUCCESS && version > 0);
    cudaStream_t stream = nullptr, same = nullptr;
    OK(cudaStreamCreate(&stream));
    CHECK(cublasSetStream(handle, stream) == CUBLAS_STATUS_SUCCESS &&
          cublasGetStream(handle, &same) == CUBLAS_STATUS_SUCCESS && same == stream);
    CHECK(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
    return finish();
}
