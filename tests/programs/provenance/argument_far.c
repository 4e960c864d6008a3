// From a structure that is a copied argument into a variable of the caller.
// NATIVE: skip no native tool follows pointers
#include <stdio.h>

struct big {
    long values[8];
};

__attribute__((noinline)) static long at(struct big big, long *other, long index)
{
    long *values = big.values;
    index = index < 0 ? other - values : index;
    return values[index]; // EXPECT: access-outside-provenance read 8
}

int main(void)
{
    struct big big = {{1, 2, 3}};
    long other[8] = {4};
    volatile long last = 7, far = -1;
    printf("%ld\n", at(big, other, last));
    printf("%ld\n", at(big, other, far));
    return 0;
}
