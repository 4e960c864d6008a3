// The bins are updated atomically.
// CFLAGS: -fopenmp
// STDOUT: 16 16
#include <stdio.h>

static int bins[4];

int main(void) {
#pragma omp parallel for schedule(dynamic, 2)
    for (int i = 0; i < 64; i++)
#pragma omp atomic
        bins[i % 4]++;
    printf("%d %d\n", bins[0], bins[3]);
    return 0;
}
