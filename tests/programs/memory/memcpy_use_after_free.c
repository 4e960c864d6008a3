// A memcpy whose source was freed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile cache;

int main(int argc, char **argv) {
    (void)argv;
    size_t size_bytes = 31 + (size_t)argc;
    char target[64];
    cache = calloc(1, size_bytes); // ALLOCATED
    free(cache); // FREED
    memcpy(target, cache, size_bytes); // EXPECT: heap-use-after-free read 32
    printf("%d\n", target[argc]);
    return 0;
}
