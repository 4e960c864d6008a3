// NATIVE: skip native prints a warning about its limits, and its fake stacks need the annotations
// A fiber writes behind its own array. It lies in a block of the heap: both names are true.
#include <stdlib.h>
#include <ucontext.h>

static ucontext_t home, fiber;
static volatile int index_behind = 12;

static void work(void) {
    volatile char text[12];
    swapcontext(&fiber, &home);
    text[index_behind] = 1; // EXPECT: stack-buffer-overflow|heap-buffer-overflow write 1
}

int main(void) {
    char *stack = malloc(1 << 16);
    getcontext(&fiber);
    fiber.uc_stack.ss_sp = stack;
    fiber.uc_stack.ss_size = 1 << 16;
    fiber.uc_link = &home;
    makecontext(&fiber, work, 0);
    swapcontext(&home, &fiber);
    swapcontext(&home, &fiber);
    free(stack);
    return 0;
}
