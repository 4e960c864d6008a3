// Two names are two locks.
// CFLAGS: -fopenmp
#include <stdio.h>

int main(void) {
    int count = 0;
#pragma omp parallel
    for (int i = 0; i < 8; i++) {
#pragma omp critical(up)
        count += 2; // EXPECT: data race
#pragma omp critical(down)
        count -= 1; // EXPECT: data race
    }
    printf("%d\n", count != 12345);
    return 0;
}
