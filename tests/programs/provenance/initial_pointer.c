// A pointer in the initial value of a global leads into another global.
// NATIVE: skip no native tool follows pointers
#include <stdio.h>

static int table[16] = {1};
static char between[100000] = {1};
static int other[16] = {2};
int *middle = &table[4];

int main(void)
{
    volatile long distance = (other - table) + 3;
    printf("%d\n", middle[-4] + between[0] + other[0]);
    printf("%d\n", middle[distance - 4]); // EXPECT: access-outside-provenance read 4
    return 0;
}
