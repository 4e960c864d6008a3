// Each iteration needs the one before it, which another thread may have.
// CFLAGS: -fopenmp
#include <stdio.h>

static int a[64];

int main(void) {
#pragma omp parallel for
    for (int i = 1; i < 64; i++)
        a[i] = a[i - 1] + 1; // EXPECT: data race
    printf("%d\n", a[0]);
    return 0;
}
