// Members of a mutexinoutset come one after the other, in any order.
// CFLAGS: -fopenmp -fopenmp-version=50
// STDOUT: 12
#include <stdio.h>

int main(void) {
    int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(x) depend(out : x)
        x = 2;
        for (int i = 0; i < 5; i++) {
#pragma omp task shared(x) depend(mutexinoutset : x)
            x += 2;
        }
#pragma omp task shared(x, y) depend(in : x)
        y = x;
    }
    printf("%d\n", y);
    return 0;
}
