// Fibers: stacks that one thread of the machine switches between.
#pragma once
#include <stddef.h>

namespace cuda_cpu {

struct Fiber {
    void* stack_pointer;  // where it goes on; null for one that has not begun
#ifdef CUDA_CPU_ASAN
    const void* stack_bottom;
    size_t stack_size;
    void* fake_stack;
#endif
};

// Memory for `count` stacks of this thread of the machine, made on first use and kept.
class Stacks {
  public:
    ~Stacks();
    void reserve(unsigned count, size_t size);
    // Makes `fiber` begin with entry() on stack `i`, when it is switched to. entry must not return.
    void prepare(Fiber& fiber, unsigned i, void (*entry)()) const;

  private:
    void release();
    size_t stride() const;  // from one stack to the next
    char* memory_ = nullptr;
    unsigned count_ = 0;
    size_t size_ = 0;
};

// Goes on in `to`, and returns when something switches back to `from`.
void switch_fiber(Fiber& from, Fiber& to);
// The same for a fiber that ends.
[[noreturn]] void leave_fiber(Fiber& from, Fiber& to);
// What a fiber's entry calls first.
void begin_fiber();

}  // namespace cuda_cpu
