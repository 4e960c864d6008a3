// From one small variable into its neighbour, which may share its eight bytes.
// NATIVE: skip no native tool follows pointers
#include <stdio.h>

static char first = 1;
static char second = 2;
static char *const both[] = {&first, &second};

int main(void)
{
    volatile int which = 0;
    volatile long distance = &second - &first;
    printf("%d\n", *both[which]);
    printf("%d\n", both[which][distance]); // EXPECT: access-outside-provenance read 1
    return 0;
}
