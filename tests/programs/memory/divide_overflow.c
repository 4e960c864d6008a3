// The quotient of the smallest number and -1 does not fit.
#include <limits.h>
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    volatile int smallest = INT_MIN, divisor = -argc;
    printf("%d\n", smallest / divisor); // EXPECT: FPE
    return 0;
}
