// Globals by pointers, tables of pointers, and numbers made of their addresses.
// EXIT: 0
// NATIVE: skip no native tool follows pointers
#include <stdint.h>
#include <stdio.h>

int table[16] = {1, 2, 3};
int other[16] = {4};
int *const both[2] = {table, other};
uintptr_t number = (uintptr_t)&table[2];

int main(void)
{
    volatile int which = 1;
    int *found = both[which];
    int sum = found[0] + *(int *)number;
    volatile int last = 15;
    for (int *at = table; at <= &table[last]; at++)
        sum += *at;
    printf("%d\n", sum);
    return 0;
}
