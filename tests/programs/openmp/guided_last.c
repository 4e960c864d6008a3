// The last value of a loop is taken from a shared variable.
// CFLAGS: -fopenmp
#include <stdio.h>

int main(void) {
    int last = 0;
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < 100; i++)
        last = i; // EXPECT: data race write
    printf("%d\n", last >= 0);
    return 0;
}
