// A pointer in memory that the program has poisoned counts when that is asked for.
// FLAGS: LSAN_OPTIONS=use_poisoned=1
// EXIT: 0
#include <stdlib.h>

__attribute__((weak)) void __asan_poison_memory_region(const volatile void *, size_t);

static void *volatile kept[4] __attribute__((aligned(32)));

static void fill(void) {
    volatile char *block = malloc(85);
    block[0] = 1;
    kept[1] = (void *)block;
}

int main(void) {
    fill();
    if (__asan_poison_memory_region) __asan_poison_memory_region(kept, sizeof kept);
    return 0;
}
