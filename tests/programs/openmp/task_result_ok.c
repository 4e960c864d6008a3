// taskwait orders the children before the sum.
// CFLAGS: -fopenmp
// STDOUT: 55
#include <stdio.h>

static int fib(int n) {
    int x, y;
    if (n < 2)
        return n;
#pragma omp task shared(x)
    x = fib(n - 1);
#pragma omp task shared(y)
    y = fib(n - 2);
#pragma omp taskwait
    return x + y;
}

int main(void) {
    int result = 0;
#pragma omp parallel
#pragma omp single
    result = fib(10);
    printf("%d\n", result);
    return 0;
}
