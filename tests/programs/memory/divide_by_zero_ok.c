// The twin of divide_by_zero: in floating point the quotient is infinity, and no trap.
// STDOUT: inf
#include <stdio.h>

static volatile double rows = 12, columns;

int main(void) {
    double cells = rows / columns;
    printf("%g\n", cells);
    return 0;
}
