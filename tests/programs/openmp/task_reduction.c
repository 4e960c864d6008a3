// A task of the group adds without taking part in its reduction.
// CFLAGS: -fopenmp -fopenmp-version=50
#include <stdio.h>

int main(void) {
    int sum = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(sum)
        sum += 1; // EXPECT: data race
#pragma omp task shared(sum)
        sum += 2; // EXPECT: data race
    }
    printf("%d\n", sum > 0);
    return 0;
}
