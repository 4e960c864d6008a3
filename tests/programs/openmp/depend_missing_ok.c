// Blocks of a chain: each task reads the block before its own.
// CFLAGS: -fopenmp
// STDOUT: 36
#include <stdio.h>

static int block[9];

int main(void) {
#pragma omp parallel
#pragma omp single
    for (int i = 1; i < 9; i++) {
#pragma omp task depend(in : block[i - 1]) depend(out : block[i])
        block[i] = block[i - 1] + i;
    }
    printf("%d\n", block[8]);
    return 0;
}
