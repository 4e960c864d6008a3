// aligned_alloc with an alignment that is no power of two.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    void *volatile block = aligned_alloc( // EXPECT: invalid-aligned-alloc-alignment
        24 * (size_t)argc, 48);
    printf("%d\n", block != NULL);
    free(block);
    return 0;
}
