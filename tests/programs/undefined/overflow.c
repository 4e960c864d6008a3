// Arithmetic of signed integers whose result does not fit: addition, subtraction, multiplication,
// negation, increment.
#include <limits.h>

volatile int top = INT_MAX, bottom = INT_MIN, sink;

int main(void) {
    sink = top + 1; // EXPECT: signed-integer-overflow
    sink = bottom - 1; // EXPECT: signed-integer-overflow
    sink = top * 2; // EXPECT: signed-integer-overflow
    sink = -bottom; // EXPECT: signed-integer-overflow
    int counted = top;
    counted++; // EXPECT: signed-integer-overflow
    sink = counted;
    return 0;
}
