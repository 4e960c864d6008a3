// One local array written through another.
// NATIVE: miss the address is a live byte of another variable
#include <stdint.h>

int main(void) {
    volatile int first[100];
    volatile int second[100];
    second[7] = 1;
    first[7] = 1;
    volatile long distance = ((intptr_t)&second[0] - (intptr_t)&first[0]) / 4;
    first[distance + 7] = 0; // EXPECT: stack-buffer-overflow|stack-buffer-underflow write 4
    return second[7];
}
