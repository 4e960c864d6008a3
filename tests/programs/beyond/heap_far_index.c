// An index that jumps over every redzone, into the neighbour.
// NATIVE: miss the address is a live byte of another block
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    volatile int *first = malloc(40);
    volatile int *second = malloc(40);
    volatile long distance = ((intptr_t)second - (intptr_t)first) / 4;
    second[3] = 1;
    first[distance + 3] = 7; // EXPECT: heap-buffer-overflow write 4
    free((void *)first);
    free((void *)second);
    return 0;
}
