// The result is read before anybody has waited for the task.
// CFLAGS: -fopenmp
#include <stdio.h>

int main(void) {
    int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(x)
        x = 41; // PREVIOUS: write
        y = x;  // EXPECT: data race read
#pragma omp taskwait
    }
    printf("%d\n", y >= 0);
    return 0;
}
