// taskwait waits for children, not for theirs.
// CFLAGS: -fopenmp
#include <stdio.h>

int main(void) {
    int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(x)
        {
#pragma omp task shared(x)
            x = 1; // PREVIOUS: write
        }
#pragma omp taskwait
        y = x; // EXPECT: data race read
    }
    printf("%d\n", y >= 0);
    return 0;
}
