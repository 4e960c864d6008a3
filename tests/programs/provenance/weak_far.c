// From a weak global into another one: where it is chosen, and where a strong one replaces it.
// FLAGS: ASAN_OPTIONS=halt_on_error=0
// NATIVE: skip no native tool follows pointers
// WITH: parts/weak_tables.c
#include <stdio.h>

__attribute__((weak)) long weak_chosen[4] = {1};
__attribute__((weak)) long weak_replaced[4] = {2};
long weak_other[1000] = {3};
static long small[4];
__attribute__((weak)) struct {
    long number;
    long *at;
} weak_pointer = {1, small + 1};

int main(void)
{
    volatile long far = weak_other - weak_chosen + 500;
    printf("%ld %ld\n", weak_chosen[3], weak_replaced[79]);
    printf("%ld\n", weak_chosen[far]); // EXPECT: access-outside-provenance read 8
    far = weak_other - weak_replaced + 500;
    printf("%ld\n", weak_replaced[far]); // EXPECT: access-outside-provenance read 8
    far = weak_other - small + 500;
    printf("%ld\n", weak_pointer.at[0]);
    printf("%ld\n", weak_pointer.at[far]); // EXPECT: access-outside-provenance read 8
    return 0;
}
