// The twin of memcpy_use_after_free: copied first, freed after.
// STDOUT: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile cache;

int main(int argc, char **argv) {
    (void)argv;
    size_t size_bytes = 31 + (size_t)argc;
    char target[64];
    cache = calloc(1, size_bytes);
    if (!cache) return 1;
    memcpy(target, cache, size_bytes);
    free(cache);
    printf("%d\n", target[argc]);
    return 0;
}
