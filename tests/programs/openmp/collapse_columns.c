// The collapsed loop divides rows among threads, but each column has one counter.
// CFLAGS: -fopenmp
#include <stdio.h>

static int columns[8];

int main(void) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            columns[j] += i; // EXPECT: data race
    printf("%d\n", columns[0] >= 0);
    return 0;
}
