// A pointer behind a number of 128 bits for which one register was left belongs to its object.
// NATIVE: skip no native tool follows pointers
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static long read_at(long a, long b, long c, long index, __int128 n, ...)
{
    va_list list;
    va_start(list, n);
    long *found = va_arg(list, long *);
    __int128 more = va_arg(list, __int128);
    long *other = va_arg(list, long *);
    va_end(list);
    long sum = a + b + c + (long)n + (long)more + found[0];
    return sum + other[index]; // EXPECT: access-outside-provenance read 8
}

int main(void)
{
    long *small = calloc(4, sizeof(long)), *big = calloc(1000, sizeof(long));
    if (!small || !big)
        return 1;
    volatile long far = big - small + 100;
    printf("%ld\n", read_at(1, 2, 3, 100, 4, small, (__int128)5, big));
    printf("%ld\n", read_at(1, 2, 3, far, 4, big, (__int128)5, small));
    return 0;
}
