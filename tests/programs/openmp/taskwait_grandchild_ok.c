// A taskgroup waits for all that was made in it.
// CFLAGS: -fopenmp
// STDOUT: 1
#include <stdio.h>

int main(void) {
    int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        {
#pragma omp task shared(x)
            {
#pragma omp task shared(x)
                x = 1;
            }
        }
        y = x;
    }
    printf("%d\n", y);
    return 0;
}
