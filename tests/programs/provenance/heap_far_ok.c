// The same distance, taken from the block that it leads into.
// EXIT: 0
// NATIVE: skip no native tool follows pointers
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *first = malloc(40);
    int *second = malloc(4000);
    second[500] = 7;
    volatile long there = 500;
    second[there] = 8;
    first[there - 491] = 1;
    printf("%d\n", second[500] + first[9]);
    free(first);
    free(second);
    return 0;
}
