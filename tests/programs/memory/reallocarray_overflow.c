// reallocarray checks the product that calloc checks.
#include <stdio.h>
#include <stdlib.h>

static void *volatile table;

int main(int argc, char **argv) {
    (void)argv;
    table = reallocarray(NULL, (size_t)argc << 40, 1u << 30); // EXPECT: reallocarray-overflow
    printf("%d\n", table != NULL);
    return 0;
}
