// The inner teams of two outer threads share a counter.
// CFLAGS: -fopenmp
// FLAGS: OMP_MAX_ACTIVE_LEVELS=2
#include <stdio.h>

int main(void) {
    int count = 0;
#pragma omp parallel num_threads(2) shared(count)
    {
#pragma omp parallel num_threads(2) shared(count)
        count++; // EXPECT: data race
    }
    printf("%d\n", count > 0);
    return 0;
}
