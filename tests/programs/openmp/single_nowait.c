// The others do not wait for the thread of the single construct.
// CFLAGS: -fopenmp
#include <stdio.h>

int main(void) {
    int limit = 0, seen[64] = {0};
#pragma omp parallel shared(limit)
    {
#pragma omp single nowait
        limit = 7; // PREVIOUS: write
#pragma omp for
        for (int i = 0; i < 64; i++)
            seen[i] = limit; // EXPECT: data race read
    }
    printf("%d\n", seen[0] >= 0);
    return 0;
}
