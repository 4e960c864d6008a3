// A block that was freed goes through variable arguments, a list that is handed on, and its copy.
// FLAGS: ASAN_OPTIONS=quarantine_size_mb=0:thread_local_quarantine_size_kb=0:halt_on_error=0
// NATIVE: skip no native tool follows pointers
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct view {
    long count;
    long *data;
    long more[3];
};

__attribute__((noinline)) static long sum(const char *kinds, va_list list)
{
    va_list copy;
    va_copy(copy, list);
    long total = 0;
    for (const char *kind = kinds; *kind; kind++)
        if (*kind == 'p')
            total += *va_arg(copy, long *); // EXPECT: use-of-dead-provenance read 8
        else if (*kind == 'd')
            total += (long)va_arg(copy, double);
        else
            total += va_arg(copy, struct view).data[0]; // EXPECT: use-of-dead-provenance read 8
    va_end(copy);
    return total;
}

__attribute__((noinline)) static long added(const char *kinds, ...)
{
    va_list list;
    va_start(list, kinds);
    long total = sum(kinds, list);
    va_end(list);
    return total;
}

int main(void)
{
    long *old = malloc(48); // ALLOCATED
    *old = 1;
    struct view view = {1, old, {0}};
    printf("%ld\n", added("dps", 2.0, old, view));
    free(old); // FREED
    long *volatile fresh = 0;
    for (int i = 0; i < 100 && fresh != old; i++)
        fresh = malloc(48);
    *fresh = 3;
    printf("%ld\n", added("dps", 2.0, fresh, (struct view){1, fresh, {0}}));
    printf("%ld\n", added("dp", 2.0, old));
    printf("%ld\n", added("s", view));
    return 0;
}
