// EXIT: 0
// STDOUT: 65536 1 1
// NATIVE: skip native prints a warning about its limits
// Who has finished a switch is told where the stack before it was.
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

void __sanitizer_start_switch_fiber(void **save, const void *bottom, size_t size);
void __sanitizer_finish_switch_fiber(void *saved, const void **bottom, size_t *size);

static ucontext_t home, fiber;
static const void *home_lo;
static size_t home_bytes;

static void work(void) {
    __sanitizer_finish_switch_fiber(NULL, &home_lo, &home_bytes);
    __sanitizer_start_switch_fiber(NULL, home_lo, home_bytes);
}

int main(void) {
    void *saved;
    const void *before;
    size_t n_bytes;
    char here;
    char *stack = malloc(1 << 16);
    getcontext(&fiber);
    fiber.uc_stack.ss_sp = stack;
    fiber.uc_stack.ss_size = 1 << 16;
    fiber.uc_link = &home;
    makecontext(&fiber, work, 0);
    __sanitizer_start_switch_fiber(&saved, stack, 1 << 16);
    swapcontext(&home, &fiber);
    __sanitizer_finish_switch_fiber(saved, &before, &n_bytes);
    char *volatile frame = __builtin_frame_address(0);
    int is_inside = frame - (char *)home_lo > 0 && frame - (char *)home_lo < (long)home_bytes;
    printf("%zu %d %d\n", n_bytes, before == stack, is_inside);
    (void)here;
    free(stack);
    return 0;
}
