// Both sections have one name.
// CFLAGS: -fopenmp
// STDOUT: 1
#include <omp.h>
#include <stdio.h>

int main(void) {
    int count = 0, n = 0;
#pragma omp parallel
    {
#pragma omp critical(one)
        count += 2;
#pragma omp critical(one)
        count -= 1;
#pragma omp single
        n = omp_get_num_threads();
    }
    printf("%d\n", count == n);
    return 0;
}
