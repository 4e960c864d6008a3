// The twin of realloc_use_after_free: the pointer is made again from the new block.
// STDOUT: 1 2
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    int *buffer = malloc(4 * sizeof *buffer);
    if (!buffer) return 1;
    buffer[3] = 1;
    int *grown = realloc(buffer, 4096 * sizeof *grown * (size_t)argc);
    if (!grown) return 1;
    int before = grown[3];
    volatile int *last = grown + 3;
    *last = 2;
    printf("%d %d\n", before, grown[3]);
    free(grown);
    return 0;
}
