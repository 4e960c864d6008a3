// A structure that is passed as a copy brings the objects of its pointers along.
// NATIVE: skip no native tool follows pointers
#include <stdio.h>
#include <stdlib.h>

struct big {
    long count;
    char *data;
    long more[6];
};

__attribute__((noinline)) static char at(int unused, struct big big, long index)
{
    return big.data[index + unused]; // EXPECT: access-outside-provenance read 1
}

int main(void)
{
    struct big big = {16, malloc(16), {0}}; // ALLOCATED
    char *other = calloc(1, 5000);
    volatile long distance = other + 2000 - big.data;
    big.data[15] = 1;
    printf("%d\n", at(0, big, 15));
    printf("%d\n", at(0, big, distance));
    free(big.data);
    free(other);
    return 0;
}
