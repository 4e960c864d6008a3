// The twin of negative_size_memmove: fewer are removed than there are.
// STDOUT: 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    long removed = 3 + argc, count = 8;
    int *items = calloc(16, sizeof *items);
    if (!items) return 1;
    items[4] = 4;
    memmove(items, items + 4, (size_t)(count - removed) * 4);
    printf("%d\n", items[0]);
    free(items);
    return 0;
}
