// A barrier makes the result ready; it is used by all.
// CFLAGS: -fopenmp
// STDOUT: 1
#include <stdio.h>

int main(void) {
    int sum = 0, most = 0, seen = 0, n = 0;
#pragma omp parallel shared(sum, most) reduction(+ : seen, n)
    {
#pragma omp for reduction(+ : sum) reduction(max : most) nowait
        for (int i = 0; i < 64; i++) {
            sum += i;
            most = most > i ? most : i;
        }
#pragma omp barrier
        seen += sum + most;
        n++;
    }
    printf("%d\n", seen == (2016 + 63) * n);
    return 0;
}
