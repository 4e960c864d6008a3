// The twin of poison_pool: the piece is taken again first.
// NATIVE: skip an ordinary build has no such function
// STDOUT: 7
#include <stddef.h>
#include <stdio.h>
void __asan_poison_memory_region(const volatile void *, size_t);
void __asan_unpoison_memory_region(const volatile void *, size_t);

static _Alignas(8) char pool[256];

int main(int argc, char **argv) {
    (void)argv;
    volatile char *piece = pool + 64;
    __asan_poison_memory_region(piece, 32);
    __asan_unpoison_memory_region(piece, 32);
    piece[6 + argc] = 7;
    printf("%d\n", pool[70 + argc]);
    __asan_unpoison_memory_region(piece, 32);
    return 0;
}
