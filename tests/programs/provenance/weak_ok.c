// Weak globals that bigger and smaller strong ones replace, common ones of several sizes, sections.
// CFLAGS: -fcommon
// NATIVE: skip no native tool follows pointers
// STDOUT: 11 9 22 17 6 3
// EXIT: 0
// WITH: parts/weak_sizes.c
#include <stdio.h>

struct entry {
    const char *name;
    long value;
};

__attribute__((weak)) long bigger_wins[2] = {1, 2};
__attribute__((weak)) long smaller_wins[50] = {1, 2};
__attribute__((weak)) long mine[3] = {4, 5, 6};
long common_size[2];
extern long weak_sum(void);
extern __attribute__((weak)) long missing[4];

#define ENTRY(name, value) \
    __attribute__((section("entries"), used)) static struct entry entry_##name = {#name, value}
ENTRY(first, 1);
ENTRY(second, 2);
ENTRY(third, 3);
extern struct entry __start_entries[], __stop_entries[];

__attribute__((section(".table.1"), used)) static long marked_begin[1] = {0};
__attribute__((section(".table.1"), used)) static long marked_end[1] = {3};

int main(void)
{
    volatile int last = 9;
    long sum = 0, walked = 0;
    for (struct entry *one = __start_entries; one < __stop_entries; one++)
        sum += one->value;
    struct entry *volatile from = &entry_first, *volatile to = &entry_third;
    for (struct entry *one = from, *end = to; one <= end; one++)
        walked += one->value;
    long *volatile begin = marked_begin, *volatile end = marked_end;
    long *marked = begin;
    common_size[1] = 2;
    long first = bigger_wins[last] + 1, second = smaller_wins[last - 8] + mine[2] - 5;
    printf("%ld %ld %ld %ld %ld %ld\n", first, second, weak_sum(), 11 + walked, sum,
           missing ? missing[0] : marked[end - marked]);
    return 0;
}
