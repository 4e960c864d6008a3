// nogroup: nobody has waited for the tasks of the loop.
// CFLAGS: -fopenmp
#include <stdio.h>

static int a[32];

int main(void) {
    int sum = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop grainsize(4) nogroup
        for (int i = 0; i < 32; i++)
            a[i] = i;   // PREVIOUS: write
        for (int i = 0; i < 32; i++)
            sum += a[i]; // EXPECT: data race read
    }
    printf("%d\n", sum >= 0);
    return 0;
}
