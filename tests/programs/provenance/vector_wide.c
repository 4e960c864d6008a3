// A hundred pointers in one vector: the one that is taken out of it leads to another block.
// NATIVE: skip no native tool follows pointers
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long many __attribute__((vector_size(128 * sizeof(long))));

static volatile int chosen = 100;
static long *volatile rows[128];

int main(void)
{
    long *first = calloc(4, sizeof *first);
    long *second = calloc(4, sizeof *second);
    for (int i = 0; i < 128; i++)
        rows[i] = first;
    many numbers;
    memcpy(&numbers, (const void *)rows, sizeof numbers);
    long *taken = (long *)numbers[chosen];
    volatile long distance = second - first;
    printf("%ld\n", taken[3]);
    printf("%ld\n", taken[distance]); // EXPECT: access-outside-provenance read 8
    free(first);
    free(second);
    return 0;
}
