// A two-byte write just before the block.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    volatile short *samples = calloc(8, sizeof *samples); // ALLOCATED
    if (!samples) return 1;
    samples[-argc] = 5; // EXPECT: heap-buffer-overflow write 2
    printf("%d\n", samples[0]);
    free((void *)samples);
    return 0;
}
