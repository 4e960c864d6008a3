// Numbers made of pointers and back: tags in low bits, differences, hashes, an array of numbers.
// EXIT: 0
// NATIVE: skip no native tool follows pointers
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static uintptr_t tagged(long *pointer)
{
    return (uintptr_t)pointer | 1;
}

int main(void)
{
    long *first = malloc(64);
    long *second = malloc(64);
    *first = 1;
    *second = 2;
    uintptr_t numbers[2] = {tagged(first), tagged(second)};
    uintptr_t both = numbers[0] ^ numbers[1];
    long *again = (long *)((both ^ numbers[0]) & ~(uintptr_t)1);
    printf("%ld\n", *again + *(long *)(numbers[0] - 1));
    free(first);
    free(second);
    return 0;
}
