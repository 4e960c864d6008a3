// The same mistake with memmove.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    long removed = 8 + argc, count = 8;
    int *items = calloc(16, sizeof *items);
    if (!items) return 1;
    memmove(items, items + 4, (size_t)(count - removed) * 4); // EXPECT: negative-size-param
    printf("%d\n", items[0]);
    free(items);
    return 0;
}
