// The threads of the machine that share a grid's blocks.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "schedule.h"

namespace cuda_cpu {

namespace {

// One grid at a time is shared; its blocks are handed out in order, in smaller and smaller ranges.
struct Grid {
    const Config& config;
    const Call& call;
    uint64_t blocks;
    std::atomic<uint64_t> next{0};

    bool take(uint64_t want, uint64_t& begin, uint64_t& end) {
        begin = next.load(std::memory_order_relaxed);
        do {
            if (begin >= blocks) { return false; }
            end = std::min(begin + want, blocks);
        } while (!next.compare_exchange_weak(begin, end, std::memory_order_relaxed));
        return true;
    }

    void share() {
        uint64_t begin, end;
        while (
            take(std::max<uint64_t>(1, (blocks - std::min(blocks, next.load())) / (4 * thread_count())), begin, end)) {
            call.run_blocks(call.body, begin, end);
        }
    }
};

class Pool {
  public:
    // Helps until the grid has no blocks left that nobody runs, and waits for the others.
    void run(Grid& grid) {
        start();
        {
            std::lock_guard lock(mutex_);
            grid_ = &grid;
            generation_++;
        }
        wake_.notify_all();
        grid.share();
        std::unique_lock lock(mutex_);
        grid_ = nullptr;
        done_.wait(lock, [&] { return running_ == 0; });
    }

    std::mutex in_use;

  private:
    void start() {
        if (started_) { return; }
        started_ = true;
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        // The first thread of each block runs on this stack, and the kernels' __shared__ variables lie in it too.
        pthread_attr_setstacksize(&attributes, size_t{64} << 20);
        for (unsigned i = 1; i < thread_count(); i++) {
            pthread_t thread;
            if (pthread_create(&thread, &attributes, work, this) == 0) { pthread_detach(thread); }
        }
        pthread_attr_destroy(&attributes);
    }

    static void* work(void* pool) {
        static_cast<Pool*>(pool)->work();
        return nullptr;
    }

    void work() {
        uint64_t seen = 0;
        std::unique_lock lock(mutex_);
        while (true) {
            wake_.wait(lock, [&] { return grid_ && generation_ != seen; });
            seen = generation_;
            Grid& grid = *grid_;
            running_++;
            lock.unlock();
            enter_grid(grid.config, grid.call);
            grid.share();
            leave_grid();
            lock.lock();
            if (--running_ == 0) { done_.notify_one(); }
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_, done_;
    Grid* grid_ = nullptr;
    uint64_t generation_ = 0;
    unsigned running_ = 0;
    bool started_ = false;
};

}  // namespace

unsigned thread_count() {
    static const unsigned count = [] {
        const char* text = getenv("CUDA_CPU_THREADS");
        const long wanted = text ? strtol(text, nullptr, 10) : 0;
        cpu_set_t cores;
        const int available = sched_getaffinity(0, sizeof(cores), &cores) == 0 ? CPU_COUNT(&cores) : 1;
        return static_cast<unsigned>(std::clamp(wanted > 0 ? wanted : available, 1L, 1024L));
    }();
    return count;
}

void run_grid(const Config& config, const Call& call) {
    using Clock = std::chrono::steady_clock;
    static Pool& pool = *new Pool;  // never destroyed: its threads may still wait when the program ends
    Grid grid{config, call, uint64_t{config.grid.x} * config.grid.y * config.grid.z};
    enter_grid(config, call);
    // Waking another thread takes longer than many a launch: first see whether this one is over soon.
    const Clock::time_point patience = Clock::now() + std::chrono::microseconds(20);
    uint64_t begin, end;
    for (uint64_t want = 1; grid.take(want, begin, end); want *= 2) {
        call.run_blocks(call.body, begin, end);
        if (thread_count() > 1 && end < grid.blocks && Clock::now() > patience && pool.in_use.try_lock()) {
            pool.run(grid);
            pool.in_use.unlock();
        }
    }
    leave_grid();
}

}  // namespace cuda_cpu
