// Ordered regions follow each other by iteration.
// CFLAGS: -fopenmp
// STDOUT: 1
#include <stdio.h>

static int order[64];

int main(void) {
    int at = 0, right = 1;
#pragma omp parallel for ordered schedule(static, 3)
    for (int i = 0; i < 32; i++) {
#pragma omp ordered
        order[at++] = i;
    }
    for (int i = 0; i < 32; i++)
        right &= order[i] == i;
    printf("%d\n", right);
    return 0;
}
