// An alignment that is no power of two.
#include <stdio.h>
#include <stdlib.h>

static void *volatile block;

int main(int argc, char **argv) {
    (void)argv;
    size_t alignment = 23 + (size_t)argc;
    block = aligned_alloc(alignment, 48); // EXPECT: invalid-aligned-alloc-alignment
    printf("%d\n", block != NULL);
    return 0;
}
