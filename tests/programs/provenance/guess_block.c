// The number is guessed from another block's: nobody has ever made one of this block's address.
// NATIVE: skip no native tool follows pointers
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    long *first = malloc(64);
    long *second = malloc(64);
    *first = 1;
    *second = 2;
    volatile long distance = (second - first) * (long)sizeof *first;
    uintptr_t number = (uintptr_t)first;
    long *guess = (long *)(number + distance);
    printf("%ld\n", *guess); // EXPECT: access-without-exposure read 8
    free(first);
    free(second);
    return 0;
}
