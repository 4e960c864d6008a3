// calloc of a count that was negative before it became a size.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    int count = argc - 2;
    void *volatile table = calloc((size_t)count, 16); // EXPECT: calloc-overflow
    printf("%d\n", table != NULL);
    free(table);
    return 0;
}
