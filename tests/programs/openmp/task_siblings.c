// Two tasks write one variable; one thread may run both, they race all the same.
// CFLAGS: -fopenmp
#include <stdio.h>

int main(void) {
    int x = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(x)
        x = 1; // EXPECT: data race write
#pragma omp task shared(x)
        x = 2; // EXPECT: data race write
    }
    printf("%d\n", x > 0);
    return 0;
}
