// Each iteration reads what no iteration writes.
// CFLAGS: -fopenmp
// STDOUT: 63
#include <stdio.h>

static int a[64], b[64];

int main(void) {
#pragma omp parallel for
    for (int i = 0; i < 64; i++)
        a[i] = i;
#pragma omp parallel for
    for (int i = 1; i < 64; i++)
        b[i] = a[i - 1] + 1;
    printf("%d\n", b[63]);
    return 0;
}
