// Each call uses its own variable, or one of a caller that is still there.
// EXIT: 0
// NATIVE: skip no native tool follows pointers
#include <stdio.h>

static int *kept;

__attribute__((noinline)) static int use(int value)
{
    int mine[4] = {value, value, value, value};
    int *before = kept;
    kept = mine;
    int found = kept[1] + (value ? use(value - 1) : 0);
    kept = before;
    return found + (kept ? kept[2] : 0);
}

int main(void)
{
    printf("%d\n", use(4));
    return 0;
}
