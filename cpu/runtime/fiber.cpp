#include "fiber.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__aarch64__)
extern "C" void cuda_cpu_switch_stack(void** save, void* next);
#else
#include <ucontext.h>
#endif

#ifdef CUDA_CPU_ASAN
#include <sanitizer/common_interface_defs.h>
// Fake stacks make the switches 40 times slower.
extern "C" __attribute__((weak)) const char* __asan_default_options() {
    return "detect_stack_use_after_return=0";
}
#endif

namespace cuda_cpu {

// ----------------------------------------------------------------------------
// the switch: what a function call has to preserve goes onto the stack that is left

#if defined(__x86_64__)
asm(R"(
    .text
    .globl cuda_cpu_switch_stack
    .type cuda_cpu_switch_stack, @function
cuda_cpu_switch_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size cuda_cpu_switch_stack, .-cuda_cpu_switch_stack
)");
constexpr int saved_words = 6;  // below the return address
#elif defined(__aarch64__)
asm(R"(
    .text
    .globl cuda_cpu_switch_stack
    .type cuda_cpu_switch_stack, %function
cuda_cpu_switch_stack:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x2, sp
    str x2, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
    .size cuda_cpu_switch_stack, .-cuda_cpu_switch_stack
)");
#endif

// Lays out the top of a new stack so that the first switch to it "returns" into entry.
static void* first_frame([[maybe_unused]] char* bottom, char* top, void (*entry)()) {
#if defined(__x86_64__)
    void** frame = reinterpret_cast<void**>(top) - 2;  // as after a call: the return address is at 16n + 8
    frame[1] = nullptr;
    frame[0] = reinterpret_cast<void*>(entry);
    for (int i = 0; i < saved_words; i++) { *--frame = nullptr; }
    return frame;
#elif defined(__aarch64__)
    void** frame = reinterpret_cast<void**>(top - 160);
    for (int i = 0; i < 20; i++) { frame[i] = nullptr; }
    frame[11] = reinterpret_cast<void*>(entry);  // x30
    return frame;
#else
    ucontext_t* context = reinterpret_cast<ucontext_t*>(top - sizeof(ucontext_t) - 64);
    getcontext(context);
    context->uc_stack.ss_sp = bottom;
    context->uc_stack.ss_size = reinterpret_cast<char*>(context) - bottom;
    context->uc_link = nullptr;
    makecontext(context, entry, 0);
    return context;
#endif
}

static void switch_stack(Fiber& from, Fiber& to) {
#if defined(__x86_64__) || defined(__aarch64__)
    cuda_cpu_switch_stack(&from.stack_pointer, to.stack_pointer);
#else
    ucontext_t here;
    void* next = to.stack_pointer;
    from.stack_pointer = &here;
    swapcontext(&here, static_cast<ucontext_t*>(next));
#endif
}

#ifdef CUDA_CPU_ASAN
// The fiber that was left learns where its stack is: that of the machine's own thread is not known before.
static __thread Fiber* left_fiber;
static void arrive(void* fake_stack) {
    __sanitizer_finish_switch_fiber(fake_stack, &left_fiber->stack_bottom, &left_fiber->stack_size);
}
void switch_fiber(Fiber& from, Fiber& to) {
    left_fiber = &from;
    __sanitizer_start_switch_fiber(&from.fake_stack, to.stack_bottom, to.stack_size);
    switch_stack(from, to);
    arrive(from.fake_stack);
}
void leave_fiber(Fiber& from, Fiber& to) {
    left_fiber = &from;
    __sanitizer_start_switch_fiber(nullptr, to.stack_bottom, to.stack_size);
    switch_stack(from, to);
    abort();
}
void begin_fiber() {
    arrive(nullptr);
}
#else
void switch_fiber(Fiber& from, Fiber& to) {
    switch_stack(from, to);
}
void leave_fiber(Fiber& from, Fiber& to) {
    switch_stack(from, to);
    abort();
}
void begin_fiber() {}
#endif

// ----------------------------------------------------------------------------
// stacks

static size_t page_size() {
    static const size_t size = sysconf(_SC_PAGESIZE);
    return size;
}

Stacks::~Stacks() {
    release();
}

size_t Stacks::stride() const {
    return size_ + page_size();
}

void Stacks::release() {
    if (memory_) { munmap(memory_, count_ * stride()); }
    memory_ = nullptr;
}

void Stacks::reserve(unsigned count, size_t size) {
    if (count <= count_ && size == size_) { return; }
    release();
    count_ = count;
    size_ = size;
    void* memory = mmap(nullptr, count * stride(), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) {
        fprintf(stderr, "CUDA on the CPU: no memory for %u stacks of %zu bytes\n", count, size);
        abort();
    }
    memory_ = static_cast<char*>(memory);
    // A guard page below each, so that an overflow stops instead of changing a neighbour. The kernel limits the number
    // of mappings: on a machine with very many cores the last ones go without.
    for (unsigned i = 0; i < count; i++) { mprotect(memory_ + i * stride(), page_size(), PROT_NONE); }
}

void Stacks::prepare(Fiber& fiber, unsigned i, void (*entry)()) const {
    // Tops at the same offset in all stacks would compete for the same lines of the cache.
    const size_t stagger = (i % 16) * 192;
    char* bottom = memory_ + i * stride() + page_size();
    fiber.stack_pointer = first_frame(bottom, bottom + size_ - 64 - stagger, entry);
#ifdef CUDA_CPU_ASAN
    fiber.stack_bottom = bottom;
    fiber.stack_size = size_;
#endif
}

}  // namespace cuda_cpu
