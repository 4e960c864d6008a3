// A table grows to twice a count that was wrong already.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    size_t count = (size_t)1 << 62;
    long *table = malloc(32);
    long *volatile more = reallocarray( // EXPECT: reallocarray-overflow
        table, count * (size_t)argc, sizeof *table);
    printf("%d\n", more != NULL);
    free(more);
    return 0;
}
