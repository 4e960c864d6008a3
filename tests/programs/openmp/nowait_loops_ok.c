// The loops have the same schedule and bounds: a thread reads what it has written itself.
// CFLAGS: -fopenmp
// STDOUT: 63
#include <stdio.h>

static int a[64], b[64];

int main(void) {
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < 64; i++)
            a[i] = i;
#pragma omp for schedule(static)
        for (int i = 0; i < 64; i++)
            b[i] = a[i];
    }
    printf("%d\n", b[63]);
    return 0;
}
