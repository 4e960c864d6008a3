// The twin of reallocarray_overflow: a product that fits; the old contents are kept.
// STDOUT: 3 49
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    int *squares = reallocarray(NULL, 4 * (size_t)argc, sizeof *squares);
    if (!squares) return 1;
    squares[1] = 3;
    int *more = reallocarray(squares, 8 * (size_t)argc, sizeof *more);
    if (!more) return 1;
    more[7] = 49;
    printf("%d %d\n", more[1], more[7]);
    free(more);
    return 0;
}
