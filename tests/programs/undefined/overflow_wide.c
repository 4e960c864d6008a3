// Overflow of types other than int, in a loop, and of a compound assignment to a wider type.
#include <limits.h>

volatile long top = LONG_MAX;
volatile int factor = 1 << 20;
volatile long sink;

int main(void) {
    sink = top + factor; // EXPECT: signed-integer-overflow
    __int128 wide = (__int128)1 << 126;
    wide *= factor; // EXPECT: signed-integer-overflow
    sink = (long)(wide >> 100);
    int power = 1;
    for (int i = 0; i < 40; i++)
        power *= 3; // EXPECT: signed-integer-overflow
    sink = power;
    sink = factor * factor; // EXPECT: signed-integer-overflow
    return 0;
}
