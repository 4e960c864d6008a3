// An array list is read behind its size, within its capacity.
#include <stdio.h>
#include <stdlib.h>
void __sanitizer_annotate_contiguous_container(
    const void *, const void *, const void *, const void *);

int main(int argc, char **argv) {
    (void)argv;
    char *items = calloc(1, 64); // ALLOCATED
    __sanitizer_annotate_contiguous_container(items, items + 64, items + 64, items + 20);
    int got = items[20 + argc]; // EXPECT: container-overflow read 1
    printf("%d\n", got);
    __sanitizer_annotate_contiguous_container(items, items + 64, items + 20, items + 64);
    free(items);
    return 0;
}
