// The twin of memcmp_overflow: only the common size is compared.
// STDOUT: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    size_t size_bytes = 19 + (size_t)argc;
    char *key = calloc(1, 24);
    char *shorter = calloc(1, size_bytes);
    if (!key || !shorter) return 1;
    int order = memcmp(key, shorter, size_bytes);
    printf("%d\n", order != 0);
    free(shorter);
    free(key);
    return 0;
}
