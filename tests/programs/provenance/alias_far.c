// From another name of a variable into another variable.
// NATIVE: skip no native tool follows pointers
#include <stdio.h>

int table[16] = {1};
static int other[2000] = {2};
extern int same[16] __attribute__((alias("table")));

int main(void)
{
    volatile long distance = other - table;
    printf("%d\n", same[0] + other[0]);
    printf("%d\n", same[distance]); // EXPECT: access-outside-provenance read 4
    return 0;
}
