// Each section writes its own; the barrier at the end orders the sum.
// CFLAGS: -fopenmp
// STDOUT: 6
#include <stdio.h>

int main(void) {
    int a = 0, b = 0, c = 0, sum = 0;
#pragma omp parallel
    {
#pragma omp sections
        {
#pragma omp section
            a = 1;
#pragma omp section
            b = 2;
#pragma omp section
            c = 3;
        }
#pragma omp single
        sum = a + b + c;
    }
    printf("%d\n", sum);
    return 0;
}
