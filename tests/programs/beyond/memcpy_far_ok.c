// Copies to offsets inside; a copy of nothing to nowhere.
// EXIT: 0
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *first = calloc(4096, 1);
    volatile long size = 24;
    char source[32] = "something";
    for (long at = 0; at + size <= 4096; at += 123)
        memcpy(first + at, source, (size_t)size);
    size = 0;
    memcpy(first + 4096, source, (size_t)size);
    memmove(first + 100, first + 110, (size_t)size + 2000);
    free(first);
    return 0;
}
