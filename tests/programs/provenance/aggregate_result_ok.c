// Structures of pointers by value: their pointers keep their own objects, also in a loop.
// NATIVE: skip no native tool follows pointers
// STDOUT: 2450
// EXIT: 0
#include <stdio.h>
#include <stdlib.h>

struct pair {
    int *first;
    int *second;
};

__attribute__((noinline)) static struct pair make(int *first, int *second)
{
    struct pair pair = {first, second};
    return pair;
}

__attribute__((noinline)) static struct pair swapped(struct pair pair)
{
    return make(pair.second, pair.first);
}

__attribute__((noinline)) static struct pair nothing(void)
{
    struct pair pair = {0, 0};
    return pair;
}

int main(void)
{
    int sum = 0;
    for (int round = 0; round < 50; round++) {
        struct pair pair = make(calloc(4, sizeof(int)), calloc(8, sizeof(int)));
        for (int turn = 0; turn < 5; turn++)
            pair = swapped(pair);
        pair.second[3] = round; // an odd number of turns: the small one
        pair.first[7] = round;
        sum += pair.second[3] + pair.first[7];
        free(pair.first);
        free(pair.second);
        sum += nothing().first != 0;
    }
    printf("%d\n", sum);
    return 0;
}
