// Dependences order the tasks: writer, two readers, writer.
// CFLAGS: -fopenmp
// STDOUT: 5 5 9
#include <stdio.h>

int main(void) {
    int x = 0, a = 0, b = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(x) depend(out : x)
        x = 5;
#pragma omp task shared(x, a) depend(in : x)
        a = x;
#pragma omp task shared(x, b) depend(in : x)
        b = x;
#pragma omp task shared(x) depend(inout : x)
        x += 4;
    }
    printf("%d %d %d\n", a, b, x);
    return 0;
}
