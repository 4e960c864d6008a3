// The same sum as a reduction.
// CFLAGS: -fopenmp
// STDOUT: 2016
#include <stdio.h>

int main(void) {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 64; i++)
        sum += i;
    printf("%d\n", sum);
    return 0;
}
