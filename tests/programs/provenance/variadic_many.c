// A pointer to a block that was freed is the last of 101 variable arguments.
// FLAGS: ASAN_OPTIONS=quarantine_size_mb=0:thread_local_quarantine_size_kb=0:halt_on_error=0
// NATIVE: skip no native tool follows pointers
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define TEN(x) x, x, x, x, x, x, x, x, x, x
#define FIFTY TEN(1L), TEN(2L), TEN(3L), TEN(4L), TEN(5L)

__attribute__((noinline)) static long last(int count, ...)
{
    va_list list;
    va_start(list, count);
    long sum = 0;
    while (count--)
        sum += va_arg(list, long);
    sum += *va_arg(list, long *); // EXPECT: use-of-dead-provenance read 8
    va_end(list);
    return sum;
}

int main(void)
{
    long *old = malloc(48); // ALLOCATED
    *old = 1;
    printf("%ld\n", last(100, FIFTY, FIFTY, old));
    free(old); // FREED
    long *volatile fresh = 0;
    for (int i = 0; i < 100 && fresh != old; i++)
        fresh = malloc(48);
    *fresh = 3;
    printf("%ld\n", last(100, FIFTY, FIFTY, old));
    return 0;
}
