// From one variable of the stack into another one, over whatever lies between them.
// NATIVE: skip no native tool follows pointers
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static int take(int *from, long index)
{
    return from[index]; // EXPECT: access-outside-provenance read 4
}

int main(void)
{
    int first[8], middle[1000], last[8]; // ALLOCATED
    memset(first, 0, sizeof first);
    memset(middle, 0, sizeof middle);
    memset(last, 0, sizeof last);
    int *volatile a = first;
    int *volatile b = last;
    int *volatile c = middle;
    volatile long distance = b - a;
    printf("%d\n", c[0] + take(last, 1 - 1));
    printf("%d\n", take(first, distance));
    return 0;
}
