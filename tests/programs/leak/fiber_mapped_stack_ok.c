// EXIT: 0
// NATIVE: skip native keeps every block whose stack it cannot unwind
// A fiber that sleeps holds the only pointer, on a stack that no block and no variable holds.
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

static ucontext_t home, fiber;

static void work(void) {
    volatile char *volatile block = malloc(35);
    block[0] = 1;
    swapcontext(&fiber, &home);
    free((void *)block);
}

int main(void) {
    size_t n_bytes = 1 << 16;
    char *stack = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    getcontext(&fiber);
    fiber.uc_stack.ss_sp = stack;
    fiber.uc_stack.ss_size = n_bytes;
    fiber.uc_link = &home;
    makecontext(&fiber, work, 0);
    swapcontext(&home, &fiber);
    return 0;
}
