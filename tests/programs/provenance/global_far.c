// From one global into another, far away.
// NATIVE: skip no native tool follows pointers
#include <stdio.h>

int table[16] = {1};
char between[100000] = {1};
int other[16] = {2};

int main(void)
{
    int *volatile start = table;
    volatile long distance = other - table;
    printf("%d\n", start[0] + between[0]);
    int *start_of_table = table;
    printf("%d\n", start_of_table[distance + 3]); // EXPECT: access-outside-provenance read 4
    return 0;
}
