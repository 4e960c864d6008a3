// One table read through another.
// NATIVE: miss the address is a live byte of another variable
#include <stdint.h>

static volatile int squares[64];
static volatile int cubes[64];

int main(void) {
    volatile long distance = ((intptr_t)&cubes[0] - (intptr_t)&squares[0]) / 4;
    cubes[9] = 0;
    return squares[distance + 9]; // EXPECT: global-buffer-overflow read 4
}
