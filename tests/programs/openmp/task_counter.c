// The loop goes on counting while tasks read the counter by reference.
// CFLAGS: -fopenmp
#include <stdio.h>

int out[16];

int main(void) {
    int at = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 8; i++) {
#pragma omp task shared(at)
        out[0] = at; // EXPECT: data race
        at++;        // EXPECT: data race
    }
    printf("%d\n", at);
    return 0;
}
