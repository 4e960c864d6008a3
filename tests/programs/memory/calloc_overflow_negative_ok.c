// The twin of calloc_overflow_negative.
// STDOUT: 1
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    int count = argc + 2;
    void *volatile table = calloc((size_t)count, 16);
    printf("%d\n", table != NULL);
    free(table);
    return 0;
}
