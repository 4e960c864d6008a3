// Pointers behind a number of 128 bits with one register left are used rightly.
// STDOUT: 15
// STDOUT: 15
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
    return sum + other[index];
}

int main(void)
{
    long *small = calloc(4, sizeof(long)), *big = calloc(1000, sizeof(long));
    if (!small || !big)
        return 1;
    volatile long far = 3;
    printf("%ld\n", read_at(1, 2, 3, 100, 4, small, (__int128)5, big));
    printf("%ld\n", read_at(1, 2, 3, far, 4, big, (__int128)5, small));
    return 0;
}
