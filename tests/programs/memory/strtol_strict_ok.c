// strtol stops at the comma of a text that ends before the poison.
// NATIVE: skip an ordinary build has no such function
// FLAGS: ASAN_OPTIONS=strict_string_checks=1
// STDOUT: 12
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void __asan_poison_memory_region(const volatile void *, size_t);
void __asan_unpoison_memory_region(const volatile void *, size_t);

int main(void) {
    char *text = calloc(1, 16);
    memcpy(text, "12,345", 6);
    __asan_poison_memory_region(text + 8, 8);
    long number = strtol(text, NULL, 10);
    printf("%ld\n", number);
    __asan_unpoison_memory_region(text + 8, 8);
    free(text);
    return 0;
}
