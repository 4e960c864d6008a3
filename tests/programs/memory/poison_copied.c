// A local array is copied while its middle is poisoned.
// ONLY: -O0 the optimiser takes small copies apart and drops what nobody reads
#include <stdio.h>
#include <string.h>
void __asan_poison_memory_region(const volatile void *, size_t);
void __asan_unpoison_memory_region(const volatile void *, size_t);

int main(int argc, char **argv) {
    char from[64], to[64];
    memset(from, argc, sizeof from);
    __asan_poison_memory_region(to + 8, 16);
    memcpy(to, from, sizeof to); // EXPECT: use-after-poison write 64
    __asan_unpoison_memory_region(to + 8, 16);
    return to[0] + (argv == NULL);
}
