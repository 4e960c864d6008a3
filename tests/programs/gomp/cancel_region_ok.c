// A region that is cancelled while some of its threads wait at a barrier, others at its end.
// CFLAGS: -fopenmp
// FLAGS: OMP_CANCELLATION=true
// STDOUT: 1 1
#include "parts/gomp.h"

static int ended, behind;

static void part(void *data) {
    int number = omp_get_thread_num();
    if (number == 3) {
        if (GOMP_cancel(1, true)) return;
    } else if (number == 2) {
        while (!GOMP_cancellation_point(1)) GOMP_taskyield();
        return;
    }
    if (GOMP_barrier_cancel()) return;
    behind = 1;
}

static void after(void *data) {
    GOMP_barrier();
    if (omp_get_thread_num() == 0) ended++;
}

int main(void) {
    GOMP_parallel(part, NULL, 6, 0);
    GOMP_parallel(after, NULL, 6, 0);
    printf("%d %d\n", ended, behind == 0);
    return 0;
}
