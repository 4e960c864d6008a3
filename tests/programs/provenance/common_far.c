// From a common global into another one; .data is a section like any other.
// CFLAGS: -fcommon
// FLAGS: ASAN_OPTIONS=halt_on_error=0
// NATIVE: skip no native tool follows pointers
#include <stdio.h>

long common_table[4];
__attribute__((section(".data"))) long placed_table[4] = {1};
long common_other[1000];

int main(void)
{
    volatile long far = common_other - common_table + 500;
    common_other[500] = 7;
    printf("%ld\n", common_table[3]);
    printf("%ld\n", common_table[far]); // EXPECT: access-outside-provenance read 8
    far = common_other - placed_table + 500;
    printf("%ld\n", placed_table[far]); // EXPECT: access-outside-provenance read 8
    return 0;
}
