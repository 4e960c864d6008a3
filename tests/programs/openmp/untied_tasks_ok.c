// Untied tasks in several parts: each makes tasks, waits for them and goes on.
// CFLAGS: -fopenmp
// STDOUT: 144 55 190
#include <stdio.h>

static int fib(int n) {
    int x, y;
    if (n < 2)
        return n;
#pragma omp task untied shared(x)
    x = fib(n - 1);
#pragma omp task untied shared(y)
    y = fib(n - 2);
#pragma omp taskwait
    return x + y;
}

static int sum_of(int n, int *parts) {
    int sum = 0;
#pragma omp task untied shared(sum)
    {
        int i;
        for (i = 0; i < n; i++)
#pragma omp task
            parts[i] = i;
#pragma omp taskyield
#pragma omp taskwait
        for (i = 0; i < n; i++)
            sum += parts[i];
    }
#pragma omp taskwait
    return sum;
}

int main(void) {
    int first = 0, second = 0, third = 0, parts[20];
#pragma omp parallel
#pragma omp single
    {
        first = fib(12);
        second = sum_of(11, parts);
        third = sum_of(20, parts);
    }
    printf("%d %d %d\n", first, second, third);
    return 0;
}
