// Regions follow each other; what one thread wrote in the first another one reads in the second.
// CFLAGS: -fopenmp
// STDOUT: 190
#include <stdio.h>

static int a[20];

int main(void) {
    int sum = 0;
    for (int round = 0; round < 3; round++) {
#pragma omp parallel for schedule(static)
        for (int i = 0; i < 20; i++)
            a[i] = i;
#pragma omp parallel for schedule(static, 1) reduction(+ : sum)
        for (int i = 0; i < 20; i++)
            sum += a[19 - i];
    }
    printf("%d\n", sum / 3);
    return 0;
}
