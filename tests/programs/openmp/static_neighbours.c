// With chunks of one the neighbour's element is another thread's.
// CFLAGS: -fopenmp
#include <stdio.h>

static int a[65];

int main(void) {
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < 64; i++)
        a[i] = a[i + 1] + i; // EXPECT: data race
    printf("%d\n", a[0] >= 0);
    return 0;
}
