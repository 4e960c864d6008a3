// A taskloop with a reduction, and one with last and first values.
// CFLAGS: -fopenmp -fopenmp-version=50
// STDOUT: 2016 63
#include <stdio.h>

int main(void) {
    int sum = 0, last = 0, add = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop num_tasks(8) reduction(+ : sum)
        for (int i = 0; i < 64; i++)
            sum += i;
#pragma omp taskloop grainsize(5) lastprivate(last) firstprivate(add)
        for (int i = 0; i < 64; i++)
            last = i + add;
    }
    printf("%d %d\n", sum, last);
    return 0;
}
