// A kernel that touches memory which is not there dies of a signal: first it says in which kernel, block and thread.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include <initializer_list>

#include "schedule.h"

namespace cuda_cpu {

#ifdef CUDA_CPU_ASAN

void report_crashes() {}  // the sanitizer says more

#else

namespace {

void on_crash(int signal, siginfo_t* info, void*) {
    char problem[128];
    snprintf(problem, sizeof problem, signal == SIGFPE ? "integer division by zero" : "no memory at address %p",
             info->si_addr);
    if (report_in_kernel(problem)) {
        fprintf(stderr, "  to find the line: build with -G and run it in gdb, or with -Xcompiler -fsanitize=address\n");
    }
    // The handler is reset (SA_RESETHAND), so the instruction, when it is tried again, ends the program as if there
    // were no handler: same status, same core dump.
}

// A stack of its own for the handler: that of a kernel may be what is exhausted.
struct SignalStack {
    SignalStack() : memory(malloc(size)) {
        stack_t stack = {};
        stack.ss_sp = memory;
        stack.ss_size = size;
        sigaltstack(&stack, nullptr);
    }
    ~SignalStack() {
        stack_t stack = {};
        stack.ss_flags = SS_DISABLE;
        sigaltstack(&stack, nullptr);
        free(memory);
    }
    static constexpr size_t size = 64 << 10;
    void* memory;
};

bool handle_signals() {
    struct sigaction action = {};
    action.sa_sigaction = on_crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND;
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE}) {
        struct sigaction before;
        sigaction(signal, nullptr, &before);
        if (before.sa_handler == SIG_DFL) {  // the program may have one of its own
            sigaction(signal, &action, nullptr);
        }
    }
    return true;
}

}  // namespace

void report_crashes() {
    static const bool handled = handle_signals();
    static thread_local const SignalStack stack;
    (void)handled;
    (void)stack;
}

#endif

}  // namespace cuda_cpu
