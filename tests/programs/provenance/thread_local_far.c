// A pointer to one thread-local variable reaches another one.
// NATIVE: skip no native tool follows pointers
#include <stdio.h>

static _Thread_local int small[4];
static _Thread_local int large[2000];

__attribute__((noinline)) static int at(const int *values, long index)
{
    return values[index]; // EXPECT: access-outside-provenance read 4
}

int main(void)
{
    small[1] = large[7] = 3;
    volatile long distance = large - small;
    printf("%d\n", at(large, 7));
    printf("%d\n", at(small, distance + 7));
    return 0;
}
