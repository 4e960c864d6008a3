// The same on the stack.
// NATIVE: skip no native tool follows pointers
#include <stdint.h>
#include <stdio.h>

__attribute__((noinline)) static void set(int *where, int value)
{
    *where = value;
}

int main(void)
{
    int shown, hidden;
    set(&shown, 1);
    set(&hidden, 2);
    int *volatile from = &shown;
    int *volatile to = &hidden;
    volatile long distance = (to - from) * (long)sizeof shown;
    uintptr_t number = (uintptr_t)from;
    *(int *)(number + distance) = 3; // EXPECT: access-without-exposure write 4
    return hidden - 3;
}
