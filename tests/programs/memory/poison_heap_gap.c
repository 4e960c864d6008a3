// memset runs into a gap that an arena has poisoned.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void __asan_poison_memory_region(const volatile void *, size_t);
void __asan_unpoison_memory_region(const volatile void *, size_t);

int main(int argc, char **argv) {
    char *arena = malloc(128); // ALLOCATED
    __asan_poison_memory_region(arena + 64, 64);
    memset(arena, argc, 72); // EXPECT: use-after-poison write 72
    printf("%d\n", arena[0]);
    (void)argv;
    __asan_unpoison_memory_region(arena + 64, 64);
    free(arena);
    return 0;
}
