// Rounds with two barriers each: read behind the first one, write behind the second.
// CFLAGS: -fopenmp
// STDOUT: 1
#include <omp.h>
#include <stdio.h>

static int place[64], seen[64];

int main(void) {
    int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
    {
        int me = omp_get_thread_num(), n = omp_get_num_threads();
        for (int round = 1; round < 5; round++) {
            place[me] = round * 100 + me;
#pragma omp barrier
            seen[me] = place[(me + 1) % n];
            wrong += seen[me] != round * 100 + (me + 1) % n;
#pragma omp barrier
        }
    }
    printf("%d\n", wrong == 0);
    return 0;
}
