// A write into a constant table.
#include <stdio.h>

static const int limits[4] = {1, 2, 3, 4};
static const int *volatile view = limits;

int main(int argc, char **argv) {
    (void)argv;
    volatile int *cell = (volatile int *)view + argc;
    printf("%d\n", *cell);
    *cell = 9; // EXPECT: SEGV write
    printf("%d\n", *cell);
    return 0;
}
