// A local array is copied once its middle is no longer poisoned.
// NATIVE: skip an ordinary build has no __asan functions
// EXIT: 1
#include <stdio.h>
#include <string.h>
void __asan_poison_memory_region(const volatile void *, size_t);
void __asan_unpoison_memory_region(const volatile void *, size_t);

int main(int argc, char **argv) {
    char from[64], to[64];
    memset(from, argc, sizeof from);
    __asan_poison_memory_region(to + 8, 16);
    __asan_unpoison_memory_region(to + 8, 16);
    memcpy(to, from, sizeof to);
    return to[0] + (argv == NULL);
}
