// The twin of pvalloc_overflow.
// STDOUT: 1
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    void *volatile pages = pvalloc((size_t)argc);
    printf("%d\n", pages != NULL);
    free(pages);
    return 0;
}
