// Each iteration waits for the one two before, but reads the one before.
// CFLAGS: -fopenmp
#include <stdio.h>

static int a[34];

int main(void) {
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 2; i < 34; i++) {
#pragma omp ordered depend(sink : i - 2)
        a[i] = a[i - 1] + 1; // EXPECT: data race
#pragma omp ordered depend(source)
    }
    printf("%d\n", a[33] >= 0);
    return 0;
}
