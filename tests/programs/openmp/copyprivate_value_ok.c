// copyprivate hands the private value to all.
// CFLAGS: -fopenmp
// STDOUT: 1
#include <stdio.h>

int main(void) {
    int sum = 0, n = 0;
#pragma omp parallel reduction(+ : sum, n)
    {
        int mine = 0;
        double more[3] = {0};
#pragma omp single copyprivate(mine, more)
        {
            mine = 9;
            more[2] = 1;
        }
        sum += mine + (int)more[2];
        n++;
    }
    printf("%d\n", sum == 10 * n);
    return 0;
}
