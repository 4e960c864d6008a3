// The object is the caller's; the callee only has a pointer into its middle.
// NATIVE: miss the address is a live byte of another block
#include <stdint.h>
#include <stdlib.h>

__attribute__((noinline)) static void put(volatile char *middle, long offset) {
    if (offset != 1)
        middle[offset] = 1; // EXPECT: heap-buffer-overflow write 1
}

int main(void) {
    volatile char *first = malloc(64);
    volatile char *second = malloc(64);
    put(first + 32, 31);
    put(first + 32, -32);
    volatile long distance = (intptr_t)second - (intptr_t)first;
    put(first + 32, distance);
    free((void *)first);
    free((void *)second);
    return 0;
}
