// NATIVE: skip native prints a warning about its limits, and its fake stacks need the annotations
// What one fiber frees another one reads; both annotate their switches.
#include <stdlib.h>
#include <ucontext.h>

void __sanitizer_start_switch_fiber(void **save, const void *bottom, size_t size);
void __sanitizer_finish_switch_fiber(void *saved, const void **bottom, size_t *size);

static ucontext_t home, fiber;
static int *volatile block;
static char stack[1 << 16];
static const void *home_lo;
static size_t home_bytes;

static void work(void) {
    __sanitizer_finish_switch_fiber(NULL, &home_lo, &home_bytes);
    free(block); // FREED
    __sanitizer_start_switch_fiber(NULL, home_lo, home_bytes);
}

int main(void) {
    void *saved;
    block = malloc(40); // ALLOCATED
    getcontext(&fiber);
    fiber.uc_stack.ss_sp = stack;
    fiber.uc_stack.ss_size = sizeof stack;
    fiber.uc_link = &home;
    makecontext(&fiber, work, 0);
    __sanitizer_start_switch_fiber(&saved, stack, sizeof stack);
    swapcontext(&home, &fiber);
    __sanitizer_finish_switch_fiber(saved, NULL, NULL);
    return block[1]; // EXPECT: heap-use-after-free read 4
}
