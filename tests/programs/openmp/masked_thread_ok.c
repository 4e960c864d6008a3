// Thread 1 writes before the barrier, all read behind it, thread 0 writes behind another one.
// CFLAGS: -fopenmp -fopenmp-version=51
// STDOUT: 4
#include <stdio.h>

int main(void) {
    int value = 0, sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp masked filter(1)
        value = 3;
#pragma omp barrier
        sum += value;
#pragma omp barrier
#pragma omp masked
        value++;
    }
    printf("%d\n", value);
    return sum < 6;
}
