// Variables of the stack by pointers, recursion, and scopes that are entered again.
// EXIT: 0
// NATIVE: skip no native tool follows pointers
#include <stdio.h>

__attribute__((noinline)) static int sum(const int *values, int n)
{
    int here[3] = {values[0], n, 0};
    return n ? here[0] + sum(here, n - 1) : here[1];
}

int main(void)
{
    int total = 0;
    int *volatile kept;
    for (int i = 0; i < 5; i++) {
        int block[4] = {i, i, i, i};
        kept = block;
        total += kept[i % 4] + sum(block, i);
    }
    volatile int n = 6;
    int many[n];
    for (int i = 0; i < n; i++)
        many[i] = total;
    kept = many;
    printf("%d\n", kept[n - 1]);
    return 0;
}
