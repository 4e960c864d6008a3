// The condition is true: the task is deferred.
// CFLAGS: -fopenmp
#include <stdio.h>

int main(int argc, char **argv) {
    int x = 0, y = 0;
    (void)argv;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(x) if (argc > 0)
        x = 1; // PREVIOUS: write
        y = x; // EXPECT: data race read
    }
    printf("%d\n", y >= 0);
    return 0;
}
