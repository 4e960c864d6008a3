// A loop that runs one element too far: the classic off-by-one.
#include <stdio.h>
#include <stdlib.h>

static void fill(volatile int *cells, int count) {
    for (int i = 0; i <= count; i++) {
        cells[i] = i; // EXPECT: heap-buffer-overflow write 4
    }
}

int main(int argc, char **argv) {
    (void)argv;
    int count = 7 + argc;
    int *cells = malloc((size_t)count * sizeof *cells); // ALLOCATED
    if (!cells) return 1;
    fill(cells, count);
    printf("%d\n", cells[2]);
    free(cells);
    return 0;
}
