// A scratch variable outside the loop is shared.
// CFLAGS: -fopenmp
#include <stdio.h>

static int a[64];

int main(void) {
    volatile int scratch;
#pragma omp parallel for
    for (int i = 0; i < 64; i++) {
        scratch = i * 2; // EXPECT: data race
        a[i] = scratch;
    }
    printf("%d\n", a[0]);
    return 0;
}
