// master has no barrier at its end.
// CFLAGS: -fopenmp
#include <stdio.h>

int main(void) {
    int value = 0, sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp master
        value = 3;    // PREVIOUS: write
        sum += value; // EXPECT: data race read
    }
    printf("%d\n", sum >= 0);
    return 0;
}
