// An array of variable length in a loop is used after its round, when the next one lies there.
// NATIVE: skip no native tool follows pointers
#include <stdio.h>

__attribute__((noinline)) static void fill(int *values, int count, int first)
{
    for (int i = 0; i < count; i++)
        values[i] = first + i;
}

int main(void)
{
    int *kept = 0;
    volatile int rounds = 3, count = 8;
    for (int round = 0; round < rounds; round++) {
        int values[count];
        fill(values, count, round);
        if (round == 0)
            kept = values;
        else
            printf("%d\n", kept[round]); // EXPECT: use-of-dead-provenance read 4
    }
    return 0;
}
