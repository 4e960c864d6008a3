// A barrier behind master.
// CFLAGS: -fopenmp
// STDOUT: 1
#include <omp.h>
#include <stdio.h>

int main(void) {
    int value = 0, sum = 0, n = 0;
#pragma omp parallel reduction(+ : sum, n)
    {
#pragma omp master
        value = 3;
#pragma omp barrier
        sum += value;
        n++;
    }
    printf("%d\n", sum == 3 * n);
    return 0;
}
