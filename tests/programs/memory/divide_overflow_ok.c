// The twin of divide_overflow.
// STDOUT: -1073741824
#include <limits.h>
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    volatile int smallest = INT_MIN, divisor = argc + 1;
    printf("%d\n", smallest / divisor);
    return 0;
}
