// What follows the set of strcspn is poisoned, behind its NUL.
// NATIVE: skip an ordinary build has no such function
// STDOUT: 10
#include <stdio.h>
#include <string.h>

void __asan_poison_memory_region(const volatile void *, size_t);
void __asan_unpoison_memory_region(const volatile void *, size_t);

int main(int argc, char **argv) {
    (void)argv;
    char set[24] = "abcdefg";
    char text[] = "0123456789";
    __asan_poison_memory_region(set + 8, 16);
    const char *start = text + (argc > 5);
    size_t n_bytes = strcspn(start, set);
    __asan_unpoison_memory_region(set + 8, 16);
    printf("%zu\n", n_bytes);
    return 0;
}
