// Thread 1 writes; nothing says when.
// CFLAGS: -fopenmp -fopenmp-version=51
#include <stdio.h>

int main(void) {
    int value = 0, sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp masked filter(1)
        value = 3;    // PREVIOUS: write
        sum += value; // EXPECT: data race read
    }
    printf("%d\n", sum >= 0);
    return 0;
}
