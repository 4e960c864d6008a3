// NATIVE: miss it cannot unwind a stack on the heap, and keeps what is allocated there
// A fiber loses a block; its stack is a block too.
#include <stdlib.h>
#include <ucontext.h>

static ucontext_t home, fiber;

static void lose(void) {
    volatile char *block = malloc(36); // EXPECT: direct-leak 36
    block[0] = 1;
}

int main(void) {
    char *stack = malloc(1 << 16);
    getcontext(&fiber);
    fiber.uc_stack.ss_sp = stack;
    fiber.uc_stack.ss_size = 1 << 16;
    fiber.uc_link = &home;
    makecontext(&fiber, lose, 0);
    swapcontext(&home, &fiber);
    free(stack);
    return 0;
}
