// A block of six thousand million bytes that only a pointer into its middle knows.
// STDOUT: 1
// ONLY: -O1 it takes its time
// SEEDS: few six gigabytes are looked through at its end
#include <stdio.h>
#include <stdlib.h>

static char *middle;

int main(int argc, char **argv) {
    (void)argv;
    middle = malloc((size_t)argc * 6000000000ul);
    if (!middle) return 1;
    middle += 5000000000ul;
    *middle = 1;
    printf("%d\n", *middle);
    return 0;
}
