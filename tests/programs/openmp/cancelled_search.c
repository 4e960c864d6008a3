// Who finds it says so in a shared variable, without protection.
// CFLAGS: -fopenmp
// FLAGS: OMP_CANCELLATION=true
#include <stdio.h>

int main(void) {
    int found = -1;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < 64; i++) {
            if (i % 8 == 0)
                found = i; // EXPECT: data race write
#pragma omp cancellation point for
            if (i == 63) {
#pragma omp cancel for
            }
        }
    }
    printf("%d\n", found >= 0);
    return 0;
}
