// The twin of reallocarray_overflow_grow.
// STDOUT: 1
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    size_t count = 4;
    long *table = malloc(32);
    long *volatile more = reallocarray(table, count * (size_t)argc, sizeof *table);
    printf("%d\n", more != NULL);
    free(more);
    return 0;
}
