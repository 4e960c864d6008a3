// Negative indices of a pointer into the middle, and of one past the end.
// EXIT: 0
#include <stdlib.h>

static int read_at(volatile int *from, long index) {
    return from[index];
}

int main(void) {
    volatile int *block = malloc(400);
    for (int i = 0; i < 100; i++)
        block[i] = 0;
    int found = 0;
    for (long i = 1; i <= 100; i++)
        found += read_at(block + 100, -i);
    for (long i = -50; i < 50; i++)
        found += read_at(block + 50, i);
    free((void *)block);
    return found;
}
