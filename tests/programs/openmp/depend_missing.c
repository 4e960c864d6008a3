// The reader names another address than the writer.
// CFLAGS: -fopenmp
#include <stdio.h>

int main(void) {
    int x = 0, y = 0, z = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(x) depend(out : x)
        x = 7; // PREVIOUS: write
#pragma omp task shared(x, y, z) depend(in : y) depend(out : z)
        z = x + y; // EXPECT: data race read
    }
    printf("%d\n", z >= 0);
    return 0;
}
