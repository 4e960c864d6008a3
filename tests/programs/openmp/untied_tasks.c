// An untied task does not wait for the tasks that it has made.
// CFLAGS: -fopenmp
#include <stdio.h>

int main(void) {
    int part = 0, sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task untied shared(part, sum)
    {
#pragma omp task shared(part)
        part = 1; // PREVIOUS: write 4
#pragma omp taskyield
        sum = part + 1; // EXPECT: data race
    }
    printf("%d\n", sum > 0);
    return 0;
}
