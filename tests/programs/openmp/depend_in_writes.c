// Both tasks say that they only read.
// CFLAGS: -fopenmp
#include <stdio.h>

int main(void) {
    int x = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(x) depend(in : x)
        x++; // EXPECT: data race
#pragma omp task shared(x) depend(in : x)
        x++; // EXPECT: data race
    }
    printf("%d\n", x > 0);
    return 0;
}
