// The same operations at the last values that fit, and unsigned ones, which wrap.
// EXIT: 0
#include <limits.h>

volatile int top = INT_MAX, bottom = INT_MIN, sink;
volatile unsigned highest = UINT_MAX;

int main(void) {
    sink = top + 0;
    sink = (top - 1) + 1;
    sink = (bottom + 1) - 1;
    sink = top / 2 * 2;
    sink = -top;
    highest = highest + 1;
    highest = highest - 1;
    highest = -(highest * 3);
    return sink != -INT_MAX;
}
