// The quotient of the lowest integer and -1 does not fit; the processor stops the program.
#include <limits.h>

volatile int bottom = INT_MIN, minus_one = -1, sink;

int main(void) {
    sink = bottom / minus_one; // EXPECT: signed-integer-overflow // EXPECT: FPE
    return 0;
}
