// Each task has its own copy of the counter.
// CFLAGS: -fopenmp
// STDOUT: 28
#include <stdio.h>

int out[16];

int main(void) {
    int at = 0, sum = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 8; i++) {
#pragma omp task firstprivate(at)
        out[at] = at;
        at++;
    }
    for (int i = 0; i < 8; i++)
        sum += out[i];
    printf("%d\n", sum);
    return 0;
}
