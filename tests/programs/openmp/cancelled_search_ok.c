// The first one to find it writes under a lock and cancels the loop.
// CFLAGS: -fopenmp
// FLAGS: OMP_CANCELLATION=true
// STDOUT: 1
#include <omp.h>
#include <stdio.h>

int main(void) {
    int found = -1, after = 0;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 64; i++) {
#pragma omp cancellation point for
            if (i % 8 == 3) {
#pragma omp critical
                found = i;
#pragma omp cancel for
            }
        }
#pragma omp atomic
        after++;
#pragma omp barrier
    }
    printf("%d\n", found % 8 == 3 && after > 0 && omp_get_cancellation());
    return 0;
}
