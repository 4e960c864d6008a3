// A static counter inside a function is shared.
// CFLAGS: -fopenmp
#include <stdio.h>

static int next(void) {
    static int count;
    return ++count; // EXPECT: data race
}

int main(void) {
    int sum = 0;
#pragma omp parallel reduction(+ : sum)
    sum += next();
    printf("%d\n", sum > 0);
    return 0;
}
