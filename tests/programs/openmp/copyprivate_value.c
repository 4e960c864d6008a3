// One thread hands its value on through a shared variable; the others do not wait.
// CFLAGS: -fopenmp
#include <stdio.h>

static int handed;

int main(void) {
    int sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
        int mine = 0;
#pragma omp single nowait
        handed = 9;    // PREVIOUS: write
        mine = handed; // EXPECT: data race read
        sum += mine;
    }
    printf("%d\n", sum >= 0);
    return 0;
}
