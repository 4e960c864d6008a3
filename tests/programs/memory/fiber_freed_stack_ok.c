// EXIT: 0
// NATIVE: skip native prints a warning about its limits
// Fibers that start fibers and jump over frames of their own, long enough that a stack of calls
// that is not put back would run over.
#include <setjmp.h>
#include <stdlib.h>
#include <ucontext.h>

enum { STACK_BYTES = 1 << 15 };
static ucontext_t home, first, second;
static volatile long n_jumps;

static __attribute__((noinline)) void jump(jmp_buf target) {
    volatile char room[40];
    room[n_jumps % 40] = 1;
    n_jumps += room[n_jumps % 40];
    longjmp(target, 1);
}

static __attribute__((noinline)) void jump_and_come_back(void) {
    jmp_buf here;
    if (setjmp(here) == 0) jump(here);
}

static void inner(void) {
    for (;;) {
        jump_and_come_back();
        swapcontext(&second, &home);
    }
}

static void outer(void) {
    jump_and_come_back();
    swapcontext(&first, &second);
}

static void prepare(ucontext_t *context, char *stack, void (*function)(void)) {
    getcontext(context);
    context->uc_stack.ss_sp = stack;
    context->uc_stack.ss_size = STACK_BYTES;
    context->uc_link = &home;
    makecontext(context, function, 0);
}

int main(void) {
    for (int i = 0; i < 2000; i++) {
        char *stacks = malloc(2 * STACK_BYTES);
        prepare(&first, stacks, outer);
        prepare(&second, stacks + STACK_BYTES, inner);
        swapcontext(&home, &first);
        free(stacks);
    }
    return n_jumps != 4000;
}
