// The pointer of a loop is the one that was chosen, wherever it goes on from there.
// NATIVE: skip no native tool follows pointers
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static int walk(int *one, int *other, int which, long steps, long stride)
{
    int sum = 0;
    int *at = which ? one : other;
    for (long i = 0; i < steps; i++) {
        sum += *at; // EXPECT: access-outside-provenance read 4
        at += stride;
    }
    return sum;
}

int main(void)
{
    int *one = calloc(10, 4);
    int *other = calloc(10, 4); // ALLOCATED
    volatile long distance = one - other;
    printf("%d\n", walk(one, other, 1, 10, 1));
    printf("%d\n", walk(one, other, 0, 2, distance));
    free(one);
    free(other);
    return 0;
}
