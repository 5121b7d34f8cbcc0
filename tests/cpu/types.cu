// Sizes, alignments and numbers that a program can depend on: mostly checked when it is compiled.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <driver_types.h>
#include <vector_functions.h>
#include <vector_types.h>

#include "check.h"

static_assert(sizeof(char4) == 4 && alignof(char4) == 4 && sizeof(short2) == 4 && alignof(ushort4) == 8);
static_assert(sizeof(int2) == 8 && alignof(int2) == 8 && sizeof(int3) == 12 && alignof(int3) == 4);
static_assert(sizeof(float4) == 16 && alignof(float4) == 16 && sizeof(float3) == 12 && sizeof(uint4) == 16);
static_assert(sizeof(double2) == 16 && alignof(double2) == 16 && alignof(double3) == 8 && alignof(longlong2) == 16);
static_assert(sizeof(uchar3) == 3 && sizeof(long2) == 16 && sizeof(float1) == 4);
static_assert(sizeof(dim3) == 12 && dim3(5).y == 1 && dim3(5, 6).z == 1);
static_assert(cudaErrorInvalidValue == 1 && cudaErrorMemoryAllocation == 2 && cudaErrorInvalidConfiguration == 9);
static_assert(cudaErrorInvalidDevice == 101 && cudaErrorInvalidResourceHandle == 400 && cudaErrorNotReady == 600);
static_assert(cudaErrorIllegalAddress == 700 && cudaErrorLaunchOutOfResources == 701 && cudaErrorAssert == 710);
static_assert(cudaErrorMisalignedAddress == 716 && cudaErrorLaunchFailure == 719 && cudaErrorNotSupported == 801);
static_assert(cudaErrorInvalidDeviceFunction == 98 && cudaErrorNoDevice == 100 && cudaErrorUnknown == 999);
static_assert(cudaErrorInvalidPtx == 218 && cudaErrorNoKernelImageForDevice == 209 && cudaErrorFileNotFound == 301);
static_assert(cudaErrorCooperativeLaunchTooLarge == 720 && cudaErrorStreamCaptureUnsupported == 900);
static_assert(cudaErrorHostMemoryAlreadyRegistered == 712 && cudaErrorContextIsDestroyed == 709);
static_assert(cudaErrorUnsupportedLimit == 215 && cudaErrorSymbolNotFound == 500 && cudaErrorSystemNotReady == 802);
static_assert(cudaDevAttrMultiProcessorCount == 16 && cudaDevAttrMaxSharedMemoryPerBlockOptin == 97);
static_assert(cudaDevAttrComputeCapabilityMajor == 75 && cudaDevAttrL2CacheSize == 38 &&
              cudaDevAttrCooperativeLaunch == 95);
static_assert(cudaDevAttrMaxBlocksPerMultiprocessor == 106 && cudaDevAttrMemoryPoolsSupported == 115);
static_assert(cudaDevAttrReservedSharedMemoryPerBlock == 111 && cudaDevAttrMemoryClockRate == 36);
static_assert(cudaMemcpyDeviceToHost == 2 && cudaMemcpyDefault == 4 && cudaMemoryTypeManaged == 3);
static_assert(cudaFuncAttributeMaxDynamicSharedMemorySize == 8 && cudaLimitPersistingL2CacheSize == 6);
static_assert(CUDA_VERSION >= 13000 && CUDART_VERSION >= 13000);

#define WORD_PAIR __host__ __device__ inline
WORD_PAIR float4 twice(float4 v) {
    return make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
}
static __device__ __forceinline__ int forced(int x) {
    return x + 1;
}
__forceinline__ __device__ int forced_first(int x) {
    return x + 1;
}
__device__ __noinline__ int not_inlined(int x) {
    return x + 1;
}
template <class T>
__device__ __forceinline__ T forced_template(T x) {
    return x + 1;
}

struct __align__(16) Aligned {
    float x[3];
};
static_assert(sizeof(Aligned) == 16);

__global__ void __launch_bounds__(64, 2) kernel(float4* __restrict__ out, const __grid_constant__ Aligned a) {
    int n = forced(0) + forced(0) + forced_first(0) + not_inlined(0) + forced_template(0);
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 3; i++) { sum += a.x[i]; }
#pragma unroll 2
    for (int i = 0; i < n; i++) { sum += 1; }
    __builtin_assume(n == 5);
    __stcs(&out[threadIdx.x], twice(make_float4(sum, n, threadIdx.x, warpSize)));
    out[threadIdx.x].y += __ldg(out + threadIdx.x).x + __ldcs(&out[threadIdx.x].w);
}

int main() {
    float4* out = managed<float4>(64);
    kernel<<<1, 64>>>(out, Aligned{{1, 2, 3}});
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++) {
        CHECK(out[i].x == 22 && out[i].y == 10 + 22 + 64 && out[i].z == 2 * i && out[i].w == 64);
    }
    uint3 index = dim3(1, 2, 3);
    CHECK(index.z == 3 && make_uchar4(1, 2, 3, 4).w == 4 && make_double2(1, 2).y == 2);
#ifdef __CUDACC__
    printf("ok\n");
#endif
    return failures;
}
