// Barriers, votes, shuffles: everything for which threads wait for each other.
#include "check.h"

__global__ void reverse(int* data) {
    __shared__ int tile[256];
    tile[threadIdx.x] = data[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    data[blockIdx.x * 256 + threadIdx.x] = tile[255 - threadIdx.x];
}

__global__ void block_sum(const int* in, long long* out) {
    __shared__ long long partial[1024];
    partial[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (threadIdx.x < stride) { partial[threadIdx.x] += partial[threadIdx.x + stride]; }
    }
    if (threadIdx.x == 0) { out[blockIdx.x] = partial[0]; }
}

__global__ void early_return(int* out, int n) {
    int i = threadIdx.x;
    if (i >= n) { return; }
    __syncthreads();
    out[i] = i;
    __syncthreads();
    if (i == 0) { out[n] = out[n - 1] + 1; }
}

__global__ void votes(int* out) {
    int i = threadIdx.x;
    out[i * 4] = __syncthreads_count(i % 3 == 0);
    out[i * 4 + 1] = __syncthreads_and(i < 100);
    out[i * 4 + 2] = __syncthreads_or(i == 99);
    out[i * 4 + 3] = __syncthreads_and(i < 99);
}

template <class T>
__global__ void shuffles(T* out) {
    int lane = threadIdx.x % 32;
    T value = T(lane + 1);
    T* mine = out + threadIdx.x * 8;
    mine[0] = __shfl_sync(0xffffffff, value, 5);
    mine[1] = __shfl_up_sync(0xffffffff, value, 3);
    mine[2] = __shfl_down_sync(0xffffffff, value, 3);
    mine[3] = __shfl_xor_sync(0xffffffff, value, 9);
    mine[4] = __shfl_sync(0xffffffff, value, 9, 8);
    mine[5] = __shfl_up_sync(0xffffffff, value, 1, 4);
    mine[6] = __shfl_down_sync(0xffffffff, value, 1, 4);
    mine[7] = __shfl_xor_sync(0xffffffff, value, 2, 4);
}

template <class T>
void check_shuffles() {
    T* out = managed<T>(64 * 8);
    shuffles<<<1, 64>>>(out);
    OK(cudaDeviceSynchronize());
    for (int t = 0; t < 64; t++) {
        int l = t % 32;
        T* mine = out + t * 8;
        CHECK(mine[0] == T(6));
        CHECK(mine[1] == T(l < 3 ? l + 1 : l - 2));
        CHECK(mine[2] == T(l > 28 ? l + 1 : l + 4));
        CHECK(mine[3] == T((l ^ 9) + 1));
        CHECK(mine[4] == T(l / 8 * 8 + 2));
        CHECK(mine[5] == T(l % 4 == 0 ? l + 1 : l));
        CHECK(mine[6] == T(l % 4 == 3 ? l + 1 : l + 2));
        CHECK(mine[7] == T((l ^ 2) + 1));
    }
}

__global__ void warp_votes(unsigned* out) {
    int i = threadIdx.x;
    unsigned* mine = out + i * 8;
    mine[0] = __ballot_sync(0xffffffff, i % 2);
    mine[1] = __any_sync(0xffffffff, i == 40);
    mine[2] = __all_sync(0xffffffff, i < 32);
    mine[3] = __reduce_add_sync(0xffffffff, (unsigned)i);
    mine[4] = __reduce_max_sync(0xffffffff, -i);
    mine[5] = __match_any_sync(0xffffffff, i / 8);
    int all = 0;
    unsigned lanes = __match_all_sync(0xffffffff, i / 32, &all);
    mine[6] = all ? lanes : 0;
    mine[7] = 0;
    // The two halves of the warp do different things, each with its own mask.
    if (i % 32 < 16) {
        mine[7] = __shfl_sync(0x0000ffff, i, 3);
    } else {
        for (int k = 0; k < 3; k++) { mine[7] += __shfl_sync(0xffff0000, i, 20); }
    }
    __syncwarp();
}

__global__ void partial_warp(int* out) {  // 40 threads: the second warp has 8 lanes
    int sum = 1;
    for (int delta = 16; delta; delta /= 2) { sum += __shfl_down_sync(0xffffffff, sum, delta); }
    if (threadIdx.x == 0) { out[0] = sum; }
}

__global__ void convergence(unsigned* out) {
    if (threadIdx.x % 4 == 1) {
        out[threadIdx.x] = __activemask();
    } else {
        out[threadIdx.x] = 0;
    }
}

// Threads of a block that wait for each other in a loop.
__global__ void wait_in_loop(volatile int* flag, int* out) {
    if (threadIdx.x == 0) {
        while (*flag == 0) { __nanosleep(20); }
        *out = 5;
    }
    if (threadIdx.x == 64) { *flag = 1; }
}

__global__ void big_frame(int* out) {
    volatile int local[8192];
    local[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = local[threadIdx.x];
}

int main() {
    int* data = managed<int>(256 * 50);
    for (int i = 0; i < 256 * 50; i++) { data[i] = i; }
    reverse<<<50, 256>>>(data);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 256 * 50; i++) { CHECK(data[i] == i / 256 * 256 + 255 - i % 256); }

    for (int block_size : {1, 2, 32, 64, 1024}) {
        const int n = 64 * 1024;
        int* in = managed<int>(n);
        long long* sums = managed<long long>(n);
        for (int i = 0; i < n; i++) { in[i] = i * 7 % 1000; }
        block_sum<<<n / block_size, block_size>>>(in, sums);
        OK(cudaDeviceSynchronize());
        for (int b = 0; b < n / block_size; b++) {
            long long expected = 0;
            for (int i = 0; i < block_size; i++) { expected += in[b * block_size + i]; }
            CHECK(sums[b] == expected);
        }
        OK(cudaFree(in));
        OK(cudaFree(sums));
    }

    for (int n : {1, 31, 33, 100, 127}) {
        int* out = managed<int>(129);
        early_return<<<1, 128>>>(out, n);
        OK(cudaDeviceSynchronize());
        for (int i = 0; i <= n; i++) { CHECK(out[i] == i); }
    }

    int* vote = managed<int>(400);
    votes<<<1, 100>>>(vote);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 100; i++) {
        CHECK(vote[i * 4] == 34 && vote[i * 4 + 1] && vote[i * 4 + 2] && !vote[i * 4 + 3]);
    }

    check_shuffles<int>();
    check_shuffles<unsigned>();
    check_shuffles<long long>();
    check_shuffles<unsigned long long>();
    check_shuffles<float>();
    check_shuffles<double>();

    unsigned* w = managed<unsigned>(64 * 8);
    warp_votes<<<1, 64>>>(w);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++) {
        unsigned* mine = w + i * 8;
        CHECK(mine[0] == 0xaaaaaaaa);
        CHECK((mine[1] != 0) == (i >= 32));
        CHECK((mine[2] != 0) == (i < 32));
        CHECK(mine[3] == (i < 32 ? 496u : 1520u));
        CHECK((int)mine[4] == -(i / 32 * 32));
        CHECK(mine[5] == 0xffu << i % 32 / 8 * 8);
        CHECK(mine[6] == 0xffffffff);
        CHECK(mine[7] == (i % 32 < 16 ? i / 32 * 32 + 3u : 3 * (i / 32 * 32 + 20u)));
    }

    partial_warp<<<1, 40>>>(data);
    OK(cudaDeviceSynchronize());
    CHECK(data[0] == 32);

    convergence<<<1, 32>>>(w);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++) { CHECK(w[i] == (i % 4 == 1 ? 0x22222222u : 0u)); }

    data[0] = data[1] = 0;
    wait_in_loop<<<1, 96>>>(data, data + 1);
    OK(cudaDeviceSynchronize());
    CHECK(data[1] == 5);

    big_frame<<<2, 1024>>>(data);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 1024; i++) { CHECK(data[i] == i); }
    return finish();
}
