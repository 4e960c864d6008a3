// All tasks take part in the group's reduction, and in that of a region.
// CFLAGS: -fopenmp -fopenmp-version=50
// STDOUT: 45 1
#include <stdio.h>

int main(void) {
    int sum = 0, many = 0, n = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
        sum += i;
    }
#pragma omp parallel reduction(task, + : many) reduction(+ : n)
    {
        n++;
#pragma omp task in_reduction(+ : many)
        many += 2;
    }
    printf("%d %d\n", sum, many == 2 * n);
    return 0;
}
