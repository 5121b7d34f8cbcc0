// Every way to write a launch. Not formatted by clang-format: the layout is part of what is tested.
// clang-format off
#include "check.h"
#include "launch_in_header.h"

#include <vector>

__global__ void set(int* out, int value) { out[blockIdx.x * blockDim.x + threadIdx.x] = value; }

__global__ void set_default(int* out, int value = 7, int factor = 1) { out[threadIdx.x] = value * factor; }

template <class T, int factor>
__global__ void scale(T* out, T value) {
    out[threadIdx.x] = value * factor;
}

template <int factor, class T>
__global__ void deduced(T* out, const T* in, T value) {
    out[threadIdx.x] = (in ? *in : value) * factor;
}

template <class... T>
__global__ void sum_all(int* out, T... values) {
    *out = (0 + ... + values);
}

template <class T>
__global__ void optional(T* out, const float* mask) {
    *out = mask == nullptr;
}

struct Point {
    int x, y;
};

__global__ void by_value(int* out, Point p) {
    p.x += threadIdx.x;  // each thread has its own copy
    out[threadIdx.x] = p.x * 10 + p.y;
}

__global__ void is_null(int* out, const float* a, const float* b) { *out = (a == nullptr) + (b == nullptr); }

__global__ void indices(uint3* out) {
    unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    out[b * (blockDim.x * blockDim.y * blockDim.z) + t] = make_uint3(
        blockIdx.x * 100 + threadIdx.x, blockIdx.y * 100 + threadIdx.y, blockIdx.z * 100 + threadIdx.z);
}

namespace outer {
namespace inner {
__global__ void set(int* out, int value) { *out = value + 1; }
}  // namespace inner
}  // namespace outer

#define LAUNCH(kernel, ...) kernel<<<1, 1>>>(__VA_ARGS__)

struct Launcher {
    int value;
    template <class T>
    void run(T* out) {
        scale<T, 2><<<1, 1>>>(out, T(value));
    }
    void (*kernel)(int*, int) = set;
};

template <class... T>
void launch_pack(int* out, T... values) {
    sum_all<<<1, 1>>>(out, values...);
}

static int calls = 0;
static int count_call(int value) {
    calls++;
    return value;
}

int main() {
    int* out = managed<int>(64);
    auto sync = [] { OK(cudaDeviceSynchronize()); };

    set<<<1, 1>>>(out, 1); sync(); CHECK(out[0] == 1);
    set <<< 1,
            dim3(2, 1)
        >>>
        (out,
         2); sync(); CHECK(out[1] == 2);
    set<<<dim3(2), dim3{4}, 0>>>(out, 3); sync(); CHECK(out[7] == 3);
    set<<<{1, 1}, {1}, 0, nullptr>>>(out, 4); sync(); CHECK(out[0] == 4);
    set<<<std::vector<int>{1, 2}[0], (3 > 2 ? 1 : 2), sizeof(int) * 4, 0>>>(out, 5); sync(); CHECK(out[0] == 5);
    set_default<<<1, 1>>>(out); sync(); CHECK(out[0] == 7);
    set_default<<<1, 1>>>(out, 3); sync(); CHECK(out[0] == 3);
    set_default<<<1, 1>>>(out, 3, 5); sync(); CHECK(out[0] == 15);
    scale<int, 3><<<1, 1>>>(out, 4); sync(); CHECK(out[0] == 12);
    scale<int, (2 > 1) ? 5 : 6><<<1, 1>>>(out, 4); sync(); CHECK(out[0] == 20);
    deduced<3><<<1, 1>>>(out, (const int*)out, 5); sync(); CHECK(out[0] == 60);
    deduced<3, int><<<1, 1>>>(out, NULL, 5); sync(); CHECK(out[0] == 15);
    sum_all<<<1, 1>>>(out, 1, 2, 3); sync(); CHECK(out[0] == 6);
    launch_pack(out, 4, 5); sync(); CHECK(out[0] == 9);
    by_value<<<1, 3>>>(out, {1, 2}); sync(); CHECK(out[0] == 12 && out[1] == 22 && out[2] == 32);
    Point p = {3, 4};
    by_value<<<1, 1>>>(out, p); sync(); CHECK(out[0] == 34);
    is_null<<<1, 1>>>(out, NULL, nullptr); sync(); CHECK(out[0] == 2);
    optional<<<1, 1>>>(out, NULL); sync(); CHECK(out[0] == 1);
    is_null<<<1, 1>>>(out, 0, (float*)out); sync(); CHECK(out[0] == 1);
    ::set<<<1, 1>>>(out, 6); sync(); CHECK(out[0] == 6);
    outer::inner::set<<<1, 1>>>(out, 6); sync(); CHECK(out[0] == 7);
    ::outer::inner::set<<<1, 1>>>(out, 7); sync(); CHECK(out[0] == 8);
    if (out[0] == 8) set<<<1, 1>>>(out, 9); else set<<<1, 1>>>(out, 10);
    sync(); CHECK(out[0] == 9);
    LAUNCH(set, out, 11); sync(); CHECK(out[0] == 11);
    LAUNCH((scale<int, 2>), out, 11); sync(); CHECK(out[0] == 22);
    void (*pointer)(int*, int) = set;
    pointer<<<1, 1>>>(out, 12); sync(); CHECK(out[0] == 12);
    (*pointer)<<<1, 1>>>(out, 13); sync(); CHECK(out[0] == 13);
    void (*table[])(int*, int) = {set, scale<int, 2>};
    table[1]<<<1, 1>>>(out, 7); sync(); CHECK(out[0] == 14);
    Launcher launcher{8};
    launcher.run(out); sync(); CHECK(out[0] == 16);
    launcher.kernel<<<1, 1>>>(out, 17); sync(); CHECK(out[0] == 17);
    (&launcher)->kernel<<<1, 1>>>(out, 18); sync(); CHECK(out[0] == 18);
    set<<<1, 2>>>(out, count_call(19)); sync(); CHECK(out[0] == 19 && calls == 1);
    auto lambda = [&](int value) { set<<<1, 1>>>(out, value); };
    lambda(20); sync(); CHECK(out[0] == 20);
    launch_in_header(out, 21); sync(); CHECK(out[0] == 21);
    for (int i = 0; i < 3; i++) set<<<1, 1>>>(out + i, i);
    sync(); CHECK(out[2] == 2);
    const char* text = "set<<<1, 1>>>(out, 1)";  // k<<<1, 1>>>(x)
    CHECK(text[3] == '<' && R"q(a"<<<1, 1>>>(")")q"[2] == '<' && '<' == 60);

    void* arguments[] = {&out, &p.x};
    OK(cudaLaunchKernel(set, dim3(1), dim3(1), arguments, 0, 0)); sync(); CHECK(out[0] == 3);
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = dim3(2);
    OK(cudaLaunchKernelEx(&config, set, out, 23)); sync(); CHECK(out[1] == 23);

    dim3 grid(3, 2, 2), block(4, 3, 2);
    uint3* where = managed<uint3>(12 * 24);
    indices<<<grid, block>>>(where); sync();
    for (unsigned b = 0; b < 12; b++) {
        for (unsigned t = 0; t < 24; t++) {
            uint3 i = where[b * 24 + t];
            CHECK(i.x == b % 3 * 100 + t % 4 && i.y == b / 3 % 2 * 100 + t / 4 % 3 && i.z == b / 6 * 100 + t / 12);
        }
    }
    return finish();
}
