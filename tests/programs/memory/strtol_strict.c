// strtol stops at the comma; the strict check finds that the text goes on into poison.
// NATIVE: miss the top frame of its report is a helper of the runtime
// FLAGS: ASAN_OPTIONS=strict_string_checks=1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void __asan_poison_memory_region(const volatile void *, size_t);
void __asan_unpoison_memory_region(const volatile void *, size_t);

int main(void) {
    char *text = calloc(1, 16); // ALLOCATED
    memcpy(text, "12,34567890", 11);
    __asan_poison_memory_region(text + 8, 8);
    long number = strtol(text, NULL, 10); // EXPECT: use-after-poison read 12
    printf("%ld\n", number);
    __asan_unpoison_memory_region(text + 8, 8);
    free(text);
    return 0;
}
