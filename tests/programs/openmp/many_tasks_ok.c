// More tasks than wait at one time: further ones run at once.
// CFLAGS: -fopenmp
// STDOUT: 1000
#include <stdio.h>

int main(void) {
    int count = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 1000; i++) {
#pragma omp task shared(count)
#pragma omp atomic
        count++;
    }
    printf("%d\n", count);
    return 0;
}
