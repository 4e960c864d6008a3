// A variable of a call that has returned; the next call has put its own at the same place.
// NATIVE: skip no native tool follows pointers
#include <stdio.h>

static int *kept;

__attribute__((noinline)) static void remember(int value)
{
    int mine[4] = {value, value, value, value}; // ALLOCATED
    kept = mine;
    printf("%d\n", kept[value % 4]);
}

__attribute__((noinline)) static int look(int value)
{
    int mine[4] = {value, value, value, value};
    int *volatile own = mine;
    return own[1] + kept[1]; // EXPECT: use-of-dead-provenance read 4
}

int main(void)
{
    remember(3);
    printf("%d\n", look(4));
    return 0;
}
