// Pointers among variable arguments belong to their objects: in registers, and on the stack.
// FLAGS: ASAN_OPTIONS=halt_on_error=0
// NATIVE: skip no native tool follows pointers
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static long in_register(int count, ...)
{
    va_list list;
    va_start(list, count);
    long index = va_arg(list, long);
    long *found = va_arg(list, long *);
    va_end(list);
    return found[index]; // EXPECT: access-outside-provenance read 8
}

__attribute__((noinline)) static long on_stack(double scale, ...)
{
    va_list list;
    va_start(list, scale);
    long *found = 0;
    for (int i = 0; i < 8; i++)
        found = va_arg(list, long *);
    long index = va_arg(list, int);
    va_end(list);
    return found[index]; // EXPECT: access-outside-provenance read 8
}

int main(void)
{
    long *block[8];
    for (int i = 0; i < 8; i++)
        block[i] = calloc(4, sizeof(long));
    long *big = calloc(1000, sizeof(long));
    big[100] = 7;
    volatile long far = big - block[0] + 100;
    printf("%ld %ld\n", in_register(1, 2L, block[0]), in_register(1, 100L, big));
    printf("%ld\n", in_register(1, far, block[0]));
    volatile int other = (int)(big - block[7] + 100);
    printf("%ld\n", on_stack(1.0, block[0], block[1], block[2], block[3], block[4], block[5],
                             block[6], block[7], other));
    return 0;
}
