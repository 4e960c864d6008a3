// Red and black: elements of one colour depend on those of the other only.
// CFLAGS: -fopenmp
// STDOUT: 1
#include <stdio.h>

static int a[66];

int main(void) {
    for (int i = 0; i < 66; i++)
        a[i] = i;
#pragma omp parallel
    for (int colour = 0; colour < 2; colour++) {
#pragma omp for schedule(static, 1)
        for (int i = 1 + colour; i < 65; i += 2)
            a[i] = (a[i - 1] + a[i + 1]) / 2;
    }
    printf("%d\n", a[1] == 1);
    return 0;
}
