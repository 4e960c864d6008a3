// Each thread reads its neighbour's place without waiting for it.
// CFLAGS: -fopenmp
#include <omp.h>
#include <stdio.h>

static int place[64], seen[64];

int main(void) {
#pragma omp parallel
    {
        int me = omp_get_thread_num(), n = omp_get_num_threads();
        place[me] = me + 1;                // PREVIOUS: write
        seen[me] = place[(me + 1) % n];    // EXPECT: data race read
    }
    printf("%d\n", seen[0] >= 0);
    return 0;
}
