// Tasks of a taskloop add to one variable.
// CFLAGS: -fopenmp
#include <stdio.h>

int main(void) {
    int sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(8) shared(sum)
    for (int i = 0; i < 64; i++)
        sum += i; // EXPECT: data race
    printf("%d\n", sum > 0);
    return 0;
}
