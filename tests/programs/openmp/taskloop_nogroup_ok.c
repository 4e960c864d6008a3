// The taskloop is a group of its own.
// CFLAGS: -fopenmp
// STDOUT: 496
#include <stdio.h>

static int a[32];

int main(void) {
    int sum = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop grainsize(4)
        for (int i = 0; i < 32; i++)
            a[i] = i;
        for (int i = 0; i < 32; i++)
            sum += a[i];
    }
    printf("%d\n", sum);
    return 0;
}
