// The twin of heap_overflow_write_4: the loop stops at the last element.
// STDOUT: 2 7
#include <stdio.h>
#include <stdlib.h>

static void fill(volatile int *cells, int count) {
    for (int i = 0; i < count; i++) {
        cells[i] = i;
    }
}

int main(int argc, char **argv) {
    (void)argv;
    int count = 7 + argc;
    int *cells = malloc((size_t)count * sizeof *cells);
    if (!cells) return 1;
    fill(cells, count);
    printf("%d %d\n", cells[2], cells[count - 1]);
    free(cells);
    return 0;
}
