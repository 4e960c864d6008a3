// threadprivate: it persists from region to region, and copyin sets it.
// CFLAGS: -fopenmp
// STDOUT: 1
#include <omp.h>
#include <stdio.h>

static int count = 5;
#pragma omp threadprivate(count)

int main(void) {
    int sum = 0, n = 0;
#pragma omp parallel
    count += omp_get_thread_num();
#pragma omp parallel reduction(+ : sum, n)
    {
        sum += count == 5 + omp_get_thread_num();
        n++;
    }
    count = 1;
#pragma omp parallel copyin(count) reduction(+ : sum)
    sum += count == 1;
    printf("%d\n", sum == 2 * n);
    return 0;
}
