/* Fibers by ucontext.h that the race detector is told about. */
#ifndef FIBERS_H
#define FIBERS_H
#include <ucontext.h>
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
void __tsan_set_fiber_name(void *fiber, const char *name);
enum { SYNC = 0, NO_SYNC = 1 };

typedef struct {
    ucontext_t context;
    void *fiber;
    char stack[1 << 16];
} Fiber;

static void fiber_make(Fiber *made, void (*function)(void)) {
    made->fiber = __tsan_create_fiber(0);
    getcontext(&made->context);
    made->context.uc_stack.ss_sp = made->stack;
    made->context.uc_stack.ss_size = sizeof made->stack;
    made->context.uc_link = 0;
    makecontext(&made->context, function, 0);
}

#define fiber_switch(from, to, flags) \
    (__tsan_switch_to_fiber((to).fiber, flags), swapcontext(&(from).context, &(to).context))
#endif
