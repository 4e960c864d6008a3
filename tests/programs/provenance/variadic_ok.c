// Variable arguments of all kinds, each pointer used in its object: lists that are copied, handed
// on and started twice, structures, blocks that come again at the address of a freed one.
// FLAGS: ASAN_OPTIONS=quarantine_size_mb=0:thread_local_quarantine_size_kb=0
// NATIVE: skip no native tool follows pointers
// STDOUT: 7 22 7
// STDOUT: one 2 3.5 four
// STDOUT: 4950 36 42
// STDOUT: abc 3
// EXIT: 0
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct small {
    long *data;
    long count;
};

struct large {
    char tag;
    long *data;
    long more[4];
};

__attribute__((noinline)) static long read_list(int named, const char *kinds, va_list list)
{
    long total = named;
    for (const char *kind = kinds; *kind; kind++)
        switch (*kind) {
        case 'p': total += *va_arg(list, long *); break;
        case 'd': total += (long)va_arg(list, double); break;
        case 'i': total += va_arg(list, int); break;
        case 'x': total += (long)va_arg(list, long double); break;
        case 's': {
            struct small one = va_arg(list, struct small);
            total += one.data[one.count - 1];
            break;
        }
        case 'n': total += *(long *)va_arg(list, uintptr_t); break;
        default: total += va_arg(list, struct large).data[0];
        }
    return total;
}

__attribute__((noinline)) static long twice(const char *kinds, ...)
{
    va_list list, copy;
    va_start(list, kinds);
    va_copy(copy, list);
    long total = read_list(0, kinds, list);
    va_end(list);
    long again = read_list(0, kinds, copy);
    va_end(copy);
    va_start(list, kinds);
    long third = read_list(0, kinds, list);
    va_end(list);
    return total == again && total == third ? total : -1;
}

__attribute__((noinline)) static long many_named(long a, long b, long c, long *d, long *e, double f,
                                                 struct large g, long *h, const char *kinds, ...)
{
    va_list list;
    va_start(list, kinds);
    long total = read_list((int)(a + b + c + *d + *e + g.data[0] + *h + (long)f), kinds, list);
    va_end(list);
    return total;
}

__attribute__((noinline)) static void print(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}

__attribute__((noinline)) static char *join(char *target, ...)
{
    va_list list;
    va_start(list, target);
    char *at = target;
    for (const char *part; (part = va_arg(list, const char *));)
        while (*part)
            *at++ = *part++;
    *at = 0;
    va_end(list);
    return target;
}

int main(void)
{
    long one = 1, numbers[3] = {2, 3, 4};
    struct small small = {numbers, 2};
    struct large large = {1, numbers, {0}};
    long first = twice("ps", &one, small) + 3;
    long second = many_named(1, 1, 1, &one, &one, 1.0, large, &one, "xpslni", 2.0L, &one, small,
                             large, (uintptr_t)&one, 3) + 1;
    long (*function)(const char *, ...) = twice;
    printf("%ld %ld %ld\n", first, second, function("ddddddddddp", 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
                                                    0.0, 0.0, 1.0, 2.0, numbers + 2));
    print("%s %d %.1f %s\n", "one", 2, 3.5, "four");
    long total = 0;
    for (long i = 0; i < 100; i++) {
        long *block = malloc(48);
        *block = i;
        total += twice("iiiiiipi", 0, 0, 0, 0, 0, 0, block, 0);
        free(block);
    }
    long sum = twice("pppppppp", &one, &numbers[0], &numbers[1], &numbers[2], &one, &numbers[0],
                     &numbers[1], &numbers[2]) + twice("pslp", &one, small, large, &one) + 9;
    printf("%ld %ld %ld\n", total, sum, twice("n", (uintptr_t)&numbers[0]) * 21);
    char text[8];
    printf("%s %zu\n", join(text, "a", "b", "c", (char *)0), strlen(text));
    return 0;
}
