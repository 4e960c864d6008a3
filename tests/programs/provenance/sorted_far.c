// The row that sorting brings to the front leads to its own block still.
// NATIVE: skip no native tool follows pointers
#include <stdio.h>
#include <stdlib.h>

struct row {
    long key;
    long *cells;
};

static int order(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    return (a->key > b->key) - (a->key < b->key);
}

int main(void)
{
    struct row rows[5];
    for (long i = 0; i < 5; i++)
        rows[i] = (struct row){.key = -i, .cells = calloc(4, sizeof(long))};
    qsort(rows, 5, sizeof *rows, order);
    volatile long distance = rows[1].cells - rows[0].cells;
    printf("%ld\n", rows[0].cells[3]);
    printf("%ld\n", rows[0].cells[distance]); // EXPECT: access-outside-provenance read 8
    for (int i = 0; i < 5; i++)
        free(rows[i].cells);
    return 0;
}
