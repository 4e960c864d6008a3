// The twin of poison_heap_gap: it stops before the gap.
// NATIVE: skip an ordinary build has no such function
// STDOUT: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void __asan_poison_memory_region(const volatile void *, size_t);
void __asan_unpoison_memory_region(const volatile void *, size_t);

int main(int argc, char **argv) {
    char *arena = malloc(128);
    __asan_poison_memory_region(arena + 64, 64);
    memset(arena, argc, 64);
    printf("%d\n", arena[0]);
    (void)argv;
    __asan_unpoison_memory_region(arena + 64, 64);
    free(arena);
    return 0;
}
