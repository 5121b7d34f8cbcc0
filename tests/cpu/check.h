// What the programs of this folder share: CHECK counts what is wrong, finish() gives the exit status.
#pragma once
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static int failures = 0;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            if (failures++ < 10) { printf("%s:%d: wrong: %s\n", __FILE__, __LINE__, #condition); } \
        }                                                                                          \
    } while (0)

#define CHECK_ERROR(call, expected)                                                                                 \
    do {                                                                                                            \
        cudaError_t error_ = (call);                                                                                \
        if (error_ != (expected)) {                                                                                 \
            failures++;                                                                                             \
            printf("%s:%d: %s gives %s, not %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(error_), #expected); \
        }                                                                                                           \
    } while (0)

#define OK(call) CHECK_ERROR(call, cudaSuccess)

// Managed memory: kernels and host use the same pointer.
template <class T>
T* managed(size_t count) {
    T* pointer = nullptr;
    OK(cudaMallocManaged(&pointer, count * sizeof(T)));
    for (size_t i = 0; i < count; i++) { pointer[i] = T(); }
    return pointer;
}

inline int finish() {
    OK(cudaDeviceSynchronize());
    OK(cudaGetLastError());
    if (failures == 0) { printf("ok\n"); }
    return failures != 0;
}
