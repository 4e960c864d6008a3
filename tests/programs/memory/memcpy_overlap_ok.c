// The twin of memcpy_overlap: ranges that only touch, and a copy onto itself by memmove.
// STDOUT: abcdabcdabcd
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    size_t shift = 3 + (size_t)argc;
    char *buffer = calloc(1, 64);
    if (!buffer) return 1;
    memcpy(buffer, "abcd", 4);
    memcpy(buffer + shift, buffer, shift);
    memmove(buffer + shift, buffer, 2 * shift);
    puts(buffer);
    free(buffer);
    return 0;
}
