// A product of two sizes that does not fit in size_t.
#include <stdio.h>
#include <stdlib.h>

static void *volatile table;

int main(int argc, char **argv) {
    (void)argv;
    size_t rows = (size_t)argc << 33, columns = (size_t)argc << 33;
    table = calloc(rows, columns); // EXPECT: calloc-overflow
    printf("%d\n", table != NULL);
    return 0;
}
