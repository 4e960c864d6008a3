// A negative index that lands in the block before.
// NATIVE: miss the address is a live byte of another block
#include <stdint.h>
#include <stdlib.h>

static int read_at(volatile int *from, long index) {
    return from[index]; // EXPECT: heap-buffer-overflow read 4
}

int main(void) {
    volatile int *first = malloc(400);
    volatile int *second = malloc(400);
    volatile long distance = ((intptr_t)first - (intptr_t)second) / 4;
    first[3] = second[3] = 0;
    int found = read_at(second, distance + 3);
    free((void *)first);
    free((void *)second);
    return found;
}
