// Each iteration of the nest waits for those above and to the left.
// CFLAGS: -fopenmp
// STDOUT: 70
#include <stdio.h>

static int a[5][5];

int main(void) {
    for (int i = 0; i < 5; i++)
        a[i][0] = a[0][i] = 1;
#pragma omp parallel for ordered(2) schedule(static, 1)
    for (int i = 1; i < 5; i++)
        for (int j = 1; j < 5; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            a[i][j] = a[i - 1][j] + a[i][j - 1];
#pragma omp ordered depend(source)
        }
    printf("%d\n", a[4][4]);
    return 0;
}
