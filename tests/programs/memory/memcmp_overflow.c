// memcmp of more bytes than the shorter key has; all common bytes are equal.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    size_t size_bytes = 23 + (size_t)argc;
    char *key = calloc(1, size_bytes);
    char *shorter = calloc(1, 20); // ALLOCATED
    if (!key || !shorter) return 1;
    int order = memcmp(key, shorter, size_bytes); // EXPECT: heap-buffer-overflow read
    printf("%d\n", order != 0);
    free(shorter);
    free(key);
    return 0;
}
