// The twin of heap_underflow_write_2: a negative index from a pointer into the middle.
// STDOUT: 5 0
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    volatile short *samples = calloc(8, sizeof *samples);
    if (!samples) return 1;
    volatile short *middle = samples + 4;
    middle[-4 * argc] = 5;
    printf("%d %d\n", samples[0], samples[7]);
    free((void *)samples);
    return 0;
}
