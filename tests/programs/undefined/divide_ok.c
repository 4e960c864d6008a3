// Divisions next to those that fail: by one, of the lowest integer but one, of floats by zero.
// EXIT: 0
#include <limits.h>

volatile int bottom = INT_MIN, one = 1, minus_one = -1, sink;
volatile double zero;

int main(void) {
    sink = bottom / one;
    sink = (bottom + 1) / minus_one;
    sink = bottom % 2;
    volatile double infinite = 1.0 / zero;
    sink = infinite > 0;
    return 0;
}
