// __syncthreads and its kin, and the memory fences.
#pragma once
#include <stdint.h>

namespace cuda_cpu {

// Where a thread waits, for the message of a deadlock.
struct Site {
    const char* call;
    const char* file;
    int line;
};

struct Votes {
    int count;         // of the threads whose predicate was not zero
    int participants;  // of those that had not returned
};

// Returns when every thread of the block that has not returned is here.
Votes block_barrier(bool predicate, const Site& site);
// Lets the block's other threads run.
void yield();

}  // namespace cuda_cpu

#define CUDA_CPU_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

inline void __syncthreads(CUDA_CPU_SITE) {
    cuda_cpu::block_barrier(false, {"__syncthreads", file, line});
}

inline int __syncthreads_count(int predicate, CUDA_CPU_SITE) {
    return cuda_cpu::block_barrier(predicate != 0, {"__syncthreads_count", file, line}).count;
}

inline int __syncthreads_and(int predicate, CUDA_CPU_SITE) {
    cuda_cpu::Votes votes = cuda_cpu::block_barrier(predicate != 0, {"__syncthreads_and", file, line});
    return votes.count == votes.participants;
}

inline int __syncthreads_or(int predicate, CUDA_CPU_SITE) {
    return cuda_cpu::block_barrier(predicate != 0, {"__syncthreads_or", file, line}).count != 0;
}

inline void __threadfence_block() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
inline void __threadfence() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
inline void __threadfence_system() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

// The only way to wait for another thread of the same block in a loop: nothing else interrupts a thread.
inline void __nanosleep(unsigned) {
    cuda_cpu::yield();
}
