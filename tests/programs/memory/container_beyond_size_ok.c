// The twin of container_beyond_size.
// NATIVE: skip an ordinary build has no such function
// STDOUT: 0
#include <stdio.h>
#include <stdlib.h>
void __sanitizer_annotate_contiguous_container(
    const void *, const void *, const void *, const void *);

int main(int argc, char **argv) {
    (void)argv;
    char *items = calloc(1, 64);
    __sanitizer_annotate_contiguous_container(items, items + 64, items + 64, items + 20);
    int got = items[18 + argc];
    printf("%d\n", got);
    __sanitizer_annotate_contiguous_container(items, items + 64, items + 20, items + 64);
    free(items);
    return 0;
}
