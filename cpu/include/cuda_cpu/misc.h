// Clocks, printf, assert, trap.
#pragma once
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// In nanoseconds: there is no clock that counts the cycles of this device.
inline long long clock64() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}

[[noreturn]] inline void __trap() {
    fflush(stdout);
    fprintf(stderr, "CUDA on the CPU: __trap()\n");
    abort();
}
