// The barrier behind the single construct orders it before the loop.
// CFLAGS: -fopenmp
// STDOUT: 7
#include <stdio.h>

int main(void) {
    int limit = 0, seen[64] = {0};
#pragma omp parallel shared(limit)
    {
#pragma omp single
        limit = 7;
#pragma omp for
        for (int i = 0; i < 64; i++)
            seen[i] = limit;
    }
    printf("%d\n", seen[63]);
    return 0;
}
