// Atomic operations, with all blocks of a grid at the same address.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.h"

struct Results {
    int add, sub, minimum, maximum, conjunction, disjunction, difference, locked;
    unsigned add_unsigned, min_unsigned, max_unsigned, inc, dec;
    unsigned long long add_long, max_long;
    long long min_signed_long;
    float add_float;
    double add_double;
    int lock, exchanged;
    __half add_half;
    __nv_bfloat16 add_bf16;
    __half2 add_half2;
};

__global__ void all(Results* r, unsigned char* seen) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    seen[atomicAdd(&r->add, 1)] = 1;
    atomicSub(&r->sub, 2);
    atomicMin(&r->minimum, 5 - i);
    atomicMax(&r->maximum, i - 5);
    atomicAnd(&r->conjunction, ~(1 << i % 8));
    atomicOr(&r->disjunction, 1 << i % 8);
    atomicXor(&r->difference, 1 << i % 8);
    atomicAdd(&r->add_unsigned, 3u);
    atomicMin(&r->min_unsigned, 4000000000u + i);
    atomicMax(&r->max_unsigned, 3000000000u + i);
    atomicInc(&r->inc, 9);
    atomicDec(&r->dec, 9);
    atomicAdd(&r->add_long, 1ull << 32);
    atomicMax(&r->max_long, (1ull << 40) + i);
    atomicMin(&r->min_signed_long, -(1ll << 40) - i);
    atomicAdd(&r->add_float, 1.0f);
    atomicAdd(&r->add_double, 0.5);
    if (i < 1024) {
        atomicAdd(&r->add_half, __float2half(1.0f));
        atomicAdd(&r->add_half2, __floats2half2_rn(1.0f, 2.0f));
    }
    if (i < 128) { atomicAdd(&r->add_bf16, __float2bfloat16(1.0f)); }
    if (threadIdx.x == 0) {  // a lock
        while (atomicCAS(&r->lock, 0, 1) != 0) {}
        __threadfence();
        r->locked++;
        __threadfence();
        atomicExch(&r->lock, 0);
    }
}

int main() {
    const int blocks = 200, threads = 64, n = blocks * threads;
    Results* r = managed<Results>(1);
    unsigned char* seen = managed<unsigned char>(n);
    r->conjunction = -1;
    r->min_unsigned = 0xffffffff;
    all<<<blocks, threads>>>(r, seen);
    OK(cudaDeviceSynchronize());
    CHECK(r->add == n && r->sub == -2 * n && r->minimum == 6 - n && r->maximum == n - 6);
    CHECK(r->conjunction == ~255 && r->disjunction == 255 && r->difference == 0 && r->locked == blocks);
    CHECK(r->add_unsigned == 3u * n && r->min_unsigned == 4000000000u && r->max_unsigned == 3000000000u + n - 1);
    CHECK(r->inc == n % 10 && r->dec == 0);
    CHECK(r->add_long == (unsigned long long)n << 32 && r->max_long == (1ull << 40) + n - 1);
    CHECK(r->min_signed_long == -(1ll << 40) - n + 1);
    CHECK(r->add_float == n && r->add_double == n * 0.5);
    CHECK((float)r->add_half == 1024 && (float)r->add_bf16 == 128);
    CHECK(__low2float(r->add_half2) == 1024 && __high2float(r->add_half2) == 2048);
    for (int i = 0; i < n; i++) { CHECK(seen[i] == 1); }
    return finish();
}
