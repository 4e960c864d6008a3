// A pointer that walks by a stride bigger than the redzone.
// NATIVE: miss every step lands in live memory of another block
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    volatile char *block = malloc(256);
    volatile char *next = malloc(256);
    volatile long stride = (intptr_t)next - (intptr_t)block;
    long sum = 0;
    block[8] = next[8] = 0;
    volatile char *at = block + 8;
    for (int i = 0; i < 2; i++) {
        sum += *at; // EXPECT: heap-buffer-overflow read 1
        at += stride;
    }
    free((void *)block);
    free((void *)next);
    return (int)sum;
}
