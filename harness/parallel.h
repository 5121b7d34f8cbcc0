// Host loops over all cores: references, input generation and comparison use them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace brrr {

// Calls body(begin, end) on consecutive parts of [0, n), one part a thread; part number as third argument.
// A small n stays on the calling thread, where a thread's start would cost more than the work.
template <class Body>
void parallel_ranges(size_t n, Body body) {
    constexpr size_t kSerial = 1 << 14;
    size_t parts = n < kSerial ? 1 : std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::thread> threads;
    for (size_t t = 1; t < parts; t++) {
        threads.emplace_back([=, &body] { body(n / parts * t, t + 1 == parts ? n : n / parts * (t + 1), t); });
    }
    body(size_t(0), parts == 1 ? n : n / parts, size_t(0));
    for (auto& thread : threads) { thread.join(); }
}

// Calls body(i) for every i in [0, n); the iterations must not depend on each other.
template <class Body>
void parallel_for(size_t n, Body body) {
    parallel_ranges(n, [&](size_t begin, size_t end, size_t) {
        for (size_t i = begin; i < end; i++) { body(i); }
    });
}

}  // namespace brrr
