// Untied tasks in several parts, some of them undeferred or final.
// CFLAGS: -fopenmp
// STDOUT: 144
// NATIVE: skip LLVM's library fails an assertion of its own
#include <stdio.h>

static int fib(int n) {
    int x, y;
    if (n < 2)
        return n;
#pragma omp task untied shared(x) if (n > 6)
    x = fib(n - 1);
#pragma omp task untied shared(y) final(n < 4)
    y = fib(n - 2);
#pragma omp taskwait
    return x + y;
}

int main(void) {
    int result = 0;
#pragma omp parallel
#pragma omp single
    result = fib(12);
    printf("%d\n", result);
    return 0;
}
