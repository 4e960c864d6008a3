// STDOUT: bye
// NATIVE: miss it cannot unwind a stack on the heap, and keeps what is allocated there
// A fiber that returns to nobody ends the program, and what it has lost is looked for: its stack is
// a block, read to its last byte, so it must be clean.
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

static ucontext_t home, fiber;

static void bye(void) { puts("bye"); }

static void *volatile kept;

static __attribute__((noinline)) void wipe(void) {
    volatile char room[8192];
    for (int i = 0; i < 8192; i++) room[i] = 0;
}

// Its calls stand so deep that what they leave on the stack is wiped, gaps between frames too.
static __attribute__((noinline)) void lose(void) {
    volatile char room[512];
    for (int i = 0; i < 512; i++) room[i] = 0;
    kept = malloc(39); // EXPECT: direct-leak 39
    kept = NULL;
    free(malloc(40)); // registers that are saved later hold this one
}

static void work(void) {
    lose();
    wipe();
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
