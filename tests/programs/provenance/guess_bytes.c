// The bytes of one pointer were read, and those of another were not: what is made of the first
// leads to its own block only.
// NATIVE: skip no native tool follows pointers
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct pair {
    long *shown;
    long *hidden;
};

__attribute__((noinline)) static uintptr_t of_bytes(const unsigned char *bytes)
{
    uintptr_t number = 0;
    for (int i = 0; i < 8; i++)
        number |= (uintptr_t)bytes[i] << 8 * i;
    return number;
}

int main(void)
{
    struct pair *pair = malloc(sizeof *pair);
    pair->shown = malloc(64);
    pair->hidden = malloc(64);
    *pair->shown = 1;
    *pair->hidden = 2;
    volatile long distance = (pair->hidden - pair->shown) * (long)sizeof(long);
    uintptr_t number = of_bytes((unsigned char *)&pair->shown);
    printf("%ld\n", *(long *)number);
    printf("%ld\n", *(long *)(number + distance)); // EXPECT: access-without-exposure read 8
    return 0;
}
