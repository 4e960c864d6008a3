// A pointer to one of several objects of all kinds, or to none.
// EXIT: 0
#include <stdlib.h>

static long table[64];

int main(void) {
    long local[32];
    long *block = malloc(512);
    long sum = 0;
    for (int i = 0; i < 32; i++) {
        long *chosen = i % 3 == 0 ? table : i % 3 == 1 ? local : block;
        chosen[i] = i;
        sum += chosen[i];
        long *maybe = i % 5 == 0 ? NULL : chosen;
        if (maybe)
            maybe[31 - i] = 0;
    }
    free(block);
    return (int)(sum - 496);
}
