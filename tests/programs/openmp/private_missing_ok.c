// The scratch variable is private.
// CFLAGS: -fopenmp
// STDOUT: 126
#include <stdio.h>

static int a[64];

int main(void) {
    volatile int scratch;
#pragma omp parallel for private(scratch)
    for (int i = 0; i < 64; i++) {
        scratch = i * 2;
        a[i] = scratch;
    }
    printf("%d\n", a[63]);
    return 0;
}
