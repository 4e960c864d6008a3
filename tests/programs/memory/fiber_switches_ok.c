// EXIT: 0
// STDOUT: 30
// NATIVE: skip native prints a warning about its limits, and its fake stacks need the annotations
// Fibers whose stacks are a block, an array and a mapping; one is left in the middle of its work.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { STACK_BYTES = 1 << 16 };
static ucontext_t home, fiber;
static int turns;

static void work(int n_turns) {
    char text[24];
    for (int i = 0; i < n_turns; i++) {
        memset(text, 1, sizeof text);
        turns += text[i];
        swapcontext(&fiber, &home);
    }
}

static void run_on(char *stack, int n_turns, int n_switches) {
    getcontext(&fiber);
    fiber.uc_stack.ss_sp = stack;
    fiber.uc_stack.ss_size = STACK_BYTES;
    fiber.uc_link = &home;
    makecontext(&fiber, (void (*)(void))work, 1, n_turns);
    for (int i = 0; i < n_switches; i++) swapcontext(&home, &fiber);
    memset(stack, 0, STACK_BYTES);
}

int main(void) {
    char array[STACK_BYTES] __attribute__((aligned(16)));
    char *block = malloc(STACK_BYTES);
    int protection = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS;
    char *mapping = mmap(NULL, STACK_BYTES, protection, flags, -1, 0);
    for (int round = 0; round < 2; round++) {
        run_on(array, 3, 4);
        run_on(block, 8, 7);
        run_on(mapping, 5, 6);
    }
    free(block);
    munmap(mapping, STACK_BYTES);
    printf("%d\n", turns);
    return 0;
}
