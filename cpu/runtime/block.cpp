// The threads of one block: which of them can go on, and who waits for whom.
//
// A block begins as a plain loop over its threads. The first one that has to wait makes the block "promoted": from then
// on each thread is a fiber, the loop itself being the fiber of the thread that it had come to. A thread that waits
// switches straight to the next one that can go on, warp by warp. All of a block runs on one thread of the machine.
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <atomic>
#include <memory>

#include "cuda_cpu/barrier.h"
#include "cuda_cpu/warp.h"
#include "fiber.h"
#include "schedule.h"

extern "C" {
__thread uint3 threadIdx;
__thread uint3 blockIdx;
__thread dim3 blockDim;
__thread dim3 gridDim;
}

namespace cuda_cpu {

__thread bool block_is_promoted;

namespace {

struct Warp {
    uint32_t alive;       // lanes that have not returned
    uint32_t ready;       // that can go on
    uint32_t exchanging;  // that wait in warp_exchange
    uint32_t converging;  // that wait in active_lanes
    uint32_t at_barrier;  // that wait in block_barrier
    uint32_t mask[32];    // what each exchanging lane gave
    Combine combine[32];
    WarpExchange exchange;
};

struct Block {
    const Call* call;
    unsigned threads;
    unsigned current;  // the thread that runs
    unsigned loop;     // the thread that the plain loop has become
    unsigned alive;
    uint32_t warps_ready;
    Votes voting;  // at the barrier that is waited at
    Votes votes;   // of the last one: nobody comes to the next before all have read these
    Warp warps[32];
    Fiber fibers[1024];
    const Site* sites[1024];  // where each thread waits
    Stacks stacks;
};

thread_local std::unique_ptr<Block> own_block;
__thread Block* block;  // the same, without the cost of a thread_local with a constructor

std::atomic<size_t> stack_size{256 * 1024};

uint32_t bit_of(unsigned t) {
    return 1u << (t % 32);
}

uint3 index_of(unsigned t) {
    const unsigned row = t / blockDim.x;
    return {t % blockDim.x, row % blockDim.y, row / blockDim.y};
}

// ----------------------------------------------------------------------------
// messages

void print_problem(const char* problem) {
    fflush(stdout);
    const Call& call = *block->call;
    fprintf(stderr, "CUDA on the CPU: %s\n  in kernel %s launched at %s:%d, block (%u,%u,%u)\n", problem, call.name,
            call.file, call.line, blockIdx.x, blockIdx.y, blockIdx.z);
}

bool waits(unsigned t) {
    const Warp& warp = block->warps[t / 32];
    return (warp.alive & ~warp.ready) & bit_of(t);
}

bool exchanges(unsigned t) {
    return block->warps[t / 32].exchanging & bit_of(t);
}

unsigned mask_of(unsigned t) {
    return block->warps[t / 32].mask[t % 32];
}

bool wait_together(unsigned a, unsigned b) {
    const Site &x = *block->sites[a], &y = *block->sites[b];
    return x.line == y.line && strcmp(x.call, y.call) == 0 && strcmp(x.file, y.file) == 0 &&
           (!exchanges(a) || mask_of(a) == mask_of(b));
}

// One line for all threads that wait for the same thing as thread `first`.
void print_group(unsigned first, bool* printed) {
    const Site& site = *block->sites[first];
    fprintf(stderr, "  %s", site.call);
    if (exchanges(first)) { fprintf(stderr, " with mask 0x%08x", mask_of(first)); }
    fprintf(stderr, " at %s:%d is waited at by threads", site.file, site.line);
    unsigned count = 0;
    for (unsigned t = first; t < block->threads; t++) {
        if (!waits(t) || printed[t] || !wait_together(first, t)) { continue; }
        printed[t] = true;
        const uint3 i = index_of(t);
        if (count++ < 8) { fprintf(stderr, " (%u,%u,%u)", i.x, i.y, i.z); }
    }
    fprintf(stderr, count > 8 ? " ... (%u in all)\n" : "\n", count);
}

[[noreturn]] void stop_for_deadlock() {
    print_problem("deadlock: no thread of the block can go on");
    bool printed[1024] = {};
    for (unsigned t = 0; t < block->threads; t++) {
        if (waits(t) && !printed[t]) { print_group(t, printed); }
    }
    fprintf(stderr, "  %u of %u threads have returned\n", block->threads - block->alive, block->threads);
    abort();
}

[[noreturn]] void stop_for_mask(uint32_t mask, const Site& site) {
    char problem[160];
    snprintf(problem, sizeof(problem), "lane %u calls %s with mask 0x%08x, which it is not in", lane(), site.call,
             mask);
    print_problem(problem);
    fprintf(stderr, "  at %s:%d, thread (%u,%u,%u)\n", site.file, site.line, threadIdx.x, threadIdx.y, threadIdx.z);
    abort();
}

// ----------------------------------------------------------------------------
// who goes on

void make_ready(Warp& warp, uint32_t lanes) {
    warp.ready |= lanes;
    block->warps_ready |= 1u << (&warp - block->warps);
}

void make_unready(Warp& warp, uint32_t lanes) {
    warp.ready &= ~lanes;
    if (!warp.ready) { block->warps_ready &= ~(1u << (&warp - block->warps)); }
}

// The lanes that are at the same active_lanes are, as far as this schedule goes, the ones that run together.
void release_converging(Warp& warp) {
    const unsigned base = static_cast<unsigned>(&warp - block->warps) * 32, first = __builtin_ctz(warp.converging);
    uint32_t group = 0;
    for (uint32_t rest = warp.converging; rest; rest &= rest - 1) {
        const unsigned lane = __builtin_ctz(rest);
        if (wait_together(base + first, base + lane)) { group |= 1u << lane; }
    }
    for (uint32_t rest = group; rest; rest &= rest - 1) { warp.exchange.result[__builtin_ctz(rest)] = group; }
    warp.converging &= ~group;
    make_ready(warp, group);
}

// The lanes above the current one come first, then the others of its warp, then the next warps.
unsigned next_thread(bool stay_in_warp) {
    const unsigned w = block->current / 32;
    Warp& warp = block->warps[w];
    if (!warp.ready && warp.converging) { release_converging(warp); }
    const uint32_t above = warp.ready & ~((2u << block->current % 32) - 1);
    if (above) { return w * 32 + __builtin_ctz(above); }
    if (stay_in_warp && warp.ready) { return w * 32 + __builtin_ctz(warp.ready); }
    if (!block->warps_ready) { stop_for_deadlock(); }
    const uint32_t later = block->warps_ready & ~((2u << w) - 1);
    const unsigned next = __builtin_ctz(later ? later : block->warps_ready);
    return next * 32 + __builtin_ctz(block->warps[next].ready);
}

void end_fiber();

void run_fiber() {
    begin_fiber();
    threadIdx = index_of(block->current);
    block->call->run_thread(block->call->body);
    end_fiber();
}

Fiber& enter(unsigned t) {
    block->current = t;
    Fiber& fiber = block->fibers[t];
    // The thread after it is likely to follow: what it has saved comes from memory while this one runs.
    const char* after = static_cast<const char*>(block->fibers[(t + 1) % 1024].stack_pointer);
    __builtin_prefetch(after);
    __builtin_prefetch(after + 64);
    __builtin_prefetch(after + 128);
    __builtin_prefetch(after + 192);
    if (!fiber.stack_pointer) { block->stacks.prepare(fiber, t, run_fiber); }
    return fiber;
}

void switch_to(unsigned t) {
    const unsigned here = block->current;
    if (t == here) { return; }
    const uint3 index = threadIdx;
    switch_fiber(block->fibers[here], enter(t));
    threadIdx = index;
}

void wait(const Site& site) {
    block->sites[block->current] = &site;
    make_unready(block->warps[block->current / 32], bit_of(block->current));
    switch_to(next_thread(true));
}

void promote() {
    const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    block_is_promoted = true;
    block->current = block->loop = t;
    block->alive = block->threads - t;
    block->warps_ready = 0;
    block->voting = {};
    for (unsigned w = 0; w * 32 < block->threads; w++) {
        Warp& warp = block->warps[w];
        warp.alive = warp.ready = warp.exchanging = warp.converging = warp.at_barrier = 0;
    }
    for (unsigned i = t; i < block->threads; i++) {
        Warp& warp = block->warps[i / 32];
        warp.alive |= bit_of(i);
        make_ready(warp, bit_of(i));
        block->fibers[i].stack_pointer = nullptr;
    }
    block->stacks.reserve(block->threads, stack_size);
}

// ----------------------------------------------------------------------------
// waiting together

void release_barrier() {
    block->votes = block->voting;
    block->voting = {};
    for (unsigned w = 0; w * 32 < block->threads; w++) {
        Warp& warp = block->warps[w];
        if (warp.at_barrier) { make_ready(warp, warp.at_barrier); }
        warp.at_barrier = 0;
    }
}

// Lets the lanes in `mask` go on if all of them are here; those that have returned are not waited for.
bool complete_exchange(Warp& warp, uint32_t mask) {
    const uint32_t lanes = mask & warp.alive;
    if ((warp.exchanging & lanes) != lanes) { return false; }
    const Combine combine = warp.combine[__builtin_ctz(lanes)];
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const unsigned lane = __builtin_ctz(rest);
        if (warp.mask[lane] != mask || warp.combine[lane] != combine) { return false; }
    }
    combine(warp.exchange, lanes);
    warp.exchanging &= ~lanes;
    make_ready(warp, lanes);
    return true;
}

// The thread has returned: it is not waited for any longer.
void retire() {
    Warp& warp = block->warps[block->current / 32];
    warp.alive &= ~bit_of(block->current);
    make_unready(warp, bit_of(block->current));
    block->alive--;
    if (block->alive && block->voting.participants == static_cast<int>(block->alive)) { release_barrier(); }
    for (uint32_t rest = warp.exchanging; rest; rest &= rest - 1) {
        const unsigned lane = __builtin_ctz(rest);
        if (warp.exchanging >> lane & 1) { complete_exchange(warp, warp.mask[lane]); }
    }
}

void end_fiber() {
    Fiber& here = block->fibers[block->current];
    retire();
    leave_fiber(here, enter(block->alive ? next_thread(true) : block->loop));
}

}  // namespace

Votes block_barrier(bool predicate, const Site& site) {
    if (!block_is_promoted) { promote(); }
    block->voting.count += predicate;
    if (++block->voting.participants == static_cast<int>(block->alive)) {
        release_barrier();
    } else {
        block->warps[block->current / 32].at_barrier |= bit_of(block->current);
        wait(site);
    }
    return block->votes;
}

uint64_t warp_exchange(uint32_t mask, uint64_t value, unsigned operand, Combine combine, const Site& site) {
    if (!block_is_promoted) { promote(); }
    const unsigned lane = block->current % 32;
    Warp& warp = block->warps[block->current / 32];
    if (!(mask >> lane & 1)) { stop_for_mask(mask, site); }
    warp.exchange.value[lane] = value;
    warp.exchange.operand[lane] = operand;
    warp.mask[lane] = mask;
    warp.combine[lane] = combine;
    warp.exchanging |= 1u << lane;
    if (!complete_exchange(warp, mask)) { wait(site); }
    return warp.exchange.result[lane];
}

uint32_t active_lanes(const Site& site) {
    if (!block_is_promoted) { promote(); }
    Warp& warp = block->warps[block->current / 32];
    const unsigned lane = block->current % 32;
    warp.converging |= 1u << lane;
    wait(site);
    return static_cast<uint32_t>(warp.exchange.result[lane]);
}

void yield() {
    if (!block_is_promoted) { promote(); }
    sched_yield();
    switch_to(next_thread(false));
}

unsigned lane() {
    return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32;
}

void combine_nothing(WarpExchange&, uint32_t) {}

void combine_shuffle(WarpExchange& warp, uint32_t lanes) {
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const unsigned lane = __builtin_ctz(rest), source = warp.operand[lane];
        warp.result[lane] = warp.value[lanes >> source & 1 ? source : lane];
    }
}

void combine_ballot(WarpExchange& warp, uint32_t lanes) {
    uint32_t ballot = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const unsigned lane = __builtin_ctz(rest);
        ballot |= static_cast<uint32_t>(warp.value[lane] != 0) << lane;
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1) { warp.result[__builtin_ctz(rest)] = ballot; }
}

void combine_match(WarpExchange& warp, uint32_t lanes) {
    for (uint32_t mine = lanes; mine; mine &= mine - 1) {
        uint32_t equal = 0;
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            const unsigned lane = __builtin_ctz(rest);
            equal |= static_cast<uint32_t>(warp.value[lane] == warp.value[__builtin_ctz(mine)]) << lane;
        }
        warp.result[__builtin_ctz(mine)] = equal;
    }
}

// ----------------------------------------------------------------------------
// blocks

void begin_block(uint64_t i) {
    const uint64_t row = i / gridDim.x;
    blockIdx = {static_cast<unsigned>(i % gridDim.x), static_cast<unsigned>(row % gridDim.y),
                static_cast<unsigned>(row / gridDim.y)};
    block_is_promoted = false;
}

void wait_for_block() {
    retire();
    if (block->alive) { switch_to(next_thread(true)); }
}

void enter_grid(const Config& config, const Call& call) {
    if (!block) {
        own_block = std::make_unique<Block>();
        block = own_block.get();
    }
    gridDim = config.grid;
    blockDim = config.block;
    block->call = &call;
    block->threads = config.block.x * config.block.y * config.block.z;
    limit_dynamic_shared(config.shared);
    report_crashes();
}

void leave_grid() {
    block->call = nullptr;
}

bool report_in_kernel(const char* problem) {
    if (!block || !block->call) { return false; }
    print_problem(problem);
    fprintf(stderr, "  thread (%u,%u,%u), exact with -G only\n", threadIdx.x, threadIdx.y, threadIdx.z);
    return true;
}

size_t fiber_stack_size() {
    return stack_size;
}

void set_fiber_stack_size(size_t bytes) {
    stack_size = bytes;
}

}  // namespace cuda_cpu
