// Chunks are given out as threads ask for them; the bins are shared.
// CFLAGS: -fopenmp
#include <stdio.h>

static int bins[4];

int main(void) {
#pragma omp parallel for schedule(dynamic, 2)
    for (int i = 0; i < 64; i++)
        bins[i % 4]++; // EXPECT: data race
    printf("%d\n", bins[0] > 0);
    return 0;
}
