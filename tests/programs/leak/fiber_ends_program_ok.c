// EXIT: 0
// STDOUT: bye
// NATIVE: skip native prints a warning about its limits
// A fiber that returns to nobody ends the program as exit does.
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

static ucontext_t home, fiber;

static void bye(void) { puts("bye"); }

static void work(void) {
    volatile char *block = malloc(39);
    block[0] = 1;
    free((void *)block);
}

int main(void) {
    char *stack = malloc(1 << 16);
    atexit(bye);
    getcontext(&fiber);
    fiber.uc_stack.ss_sp = stack;
    fiber.uc_stack.ss_size = 1 << 16;
    fiber.uc_link = NULL;
    makecontext(&fiber, work, 0);
    swapcontext(&home, &fiber);
    puts("never");
    free(stack);
    return 1;
}
