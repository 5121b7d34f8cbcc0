// __shared__ and extern __shared__ in all places where they can stand, and __device__ and __constant__ variables.
#include "check.h"

extern __shared__ __align__(16) unsigned char at_namespace_scope[];

namespace inner {
extern __shared__ float in_namespace[];
__device__ float first() {
    return in_namespace[0];
}
}  // namespace inner

template <class T>
__global__ void dynamic_of_type(T* out) {
    extern __shared__ __align__(16) unsigned char bytes[];
    T* values = reinterpret_cast<T*>(bytes);
    values[threadIdx.x] = T(threadIdx.x + blockIdx.x);
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

__global__ void namespace_scope(float* out) {
    float* values = reinterpret_cast<float*>(at_namespace_scope);
    values[threadIdx.x] = threadIdx.x + 1.0f;
    __syncthreads();
    out[threadIdx.x] = inner::first() + inner::in_namespace[threadIdx.x];
}

__device__ int* from_function() {
    static __shared__ int values[4];
    return values;
}

template <int rows>
__global__ void two_dimensions(int* out) {
    __shared__ int tile[rows][33];
    __shared__ struct {
        int x;
        float4 v[2];
    } record;
    volatile __shared__ int single;
    tile[threadIdx.y][threadIdx.x] = threadIdx.y * 100 + threadIdx.x;
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        record.x = blockIdx.x;
        record.v[1].w = 2.0f;
        single = 3;
        from_function()[1] = 4;
    }
    __syncthreads();
    out[(blockIdx.x * 32 + threadIdx.x) * rows + threadIdx.y] =
        tile[threadIdx.y][threadIdx.x] + record.x * 10000 + (int)record.v[1].w + single + from_function()[1];
}

__constant__ float table[4];
__device__ int counter = 5;
__device__ double vector_of[3];

__global__ void globals(float* out) {
    out[threadIdx.x] = table[threadIdx.x];
    if (threadIdx.x == 0) { counter++; }
    if (threadIdx.x == 1) { vector_of[2] = 1.5; }
}

template <class T>
void check_dynamic() {
    T* out = managed<T>(8 * 64);
    dynamic_of_type<<<8, 64, 64 * sizeof(T)>>>(out);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 8 * 64; i++) { CHECK(out[i] == T(63 - i % 64 + i / 64)); }
}

int main() {
    check_dynamic<float>();
    check_dynamic<double>();
    check_dynamic<int>();
    float* out = managed<float>(1024);
    namespace_scope<<<1, 16, 64>>>(out);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 16; i++) { CHECK(out[i] == i + 2.0f); }

    int* tiles = managed<int>(40 * 32 * 8);
    two_dimensions<8><<<40, dim3(32, 8)>>>(tiles);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 40 * 32 * 8; i++) {
        int y = i % 8, x = i / 8 % 32, b = i / 256;
        CHECK(tiles[i] == y * 100 + x + b * 10000 + 9);
    }

    float host[4] = {1, 2, 3, 4}, back[2];
    OK(cudaMemcpyToSymbol(table, host, sizeof(host)));
    OK(cudaMemcpyToSymbol(table, host, sizeof(float), 3 * sizeof(float)));
    globals<<<1, 4>>>(out);
    OK(cudaMemcpyFromSymbol(back, table, 2 * sizeof(float), sizeof(float)));
    CHECK(out[0] == 1 && out[2] == 3 && out[3] == 1 && back[0] == 2 && back[1] == 3);
    int count = 0;
    OK(cudaMemcpyFromSymbol(&count, counter, sizeof(count)));
    CHECK(count == 6);
    void* address = nullptr;
    size_t size = 0;
    OK(cudaGetSymbolAddress(&address, vector_of));
    OK(cudaGetSymbolSize(&size, vector_of));
    CHECK(size == 24);
    double values[3];
    OK(cudaMemcpy(values, address, size, cudaMemcpyDeviceToHost));
    CHECK(values[2] == 1.5);
    CHECK_ERROR(cudaMemcpyToSymbol(table, host, 20), cudaErrorInvalidValue);
    cudaGetLastError();
    return finish();
}
