// A pointer into the buffer is kept while realloc moves it.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    int *buffer = malloc(4 * sizeof *buffer); // ALLOCATED
    if (!buffer) return 1;
    volatile int *last = buffer + 3;
    *last = 1;
    int *grown = realloc(buffer, 4096 * sizeof *grown * (size_t)argc); // FREED
    if (!grown) return 1;
    *last = 2; // EXPECT: heap-use-after-free write 4
    printf("%d\n", grown[3]);
    free(grown);
    return 0;
}
