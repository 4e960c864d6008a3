// The second loop reads what other threads still write, as the first one has no barrier.
// CFLAGS: -fopenmp
#include <stdio.h>

static int a[64], b[64];

int main(void) {
#pragma omp parallel
    {
#pragma omp for nowait
        for (int i = 0; i < 64; i++)
            a[i] = i; // PREVIOUS: write
#pragma omp for
        for (int i = 0; i < 64; i++)
            b[i] = a[63 - i]; // EXPECT: data race read
    }
    printf("%d\n", b[0] >= 0);
    return 0;
}
