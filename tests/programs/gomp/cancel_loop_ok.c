// A loop that one thread cancels, and a region.
// CFLAGS: -fopenmp
// FLAGS: OMP_CANCELLATION=true
// STDOUT: 1 3
#include "parts/gomp.h"

static int found, behind;

static void part(void *data) {
    long from, to;
    bool more = GOMP_loop_dynamic_start(0, 1000, 1, 1, &from, &to);
    for (; more; more = GOMP_loop_dynamic_next(&from, &to)) {
        if (from == 3) {
            GOMP_critical_start();
            found++;
            GOMP_critical_end();
            if (GOMP_cancel(2, true)) break;
        }
        if (GOMP_cancellation_point(2)) break;
    }
    if (GOMP_loop_end_cancel()) return;
    GOMP_critical_start();
    behind++;
    GOMP_critical_end();
    if (GOMP_barrier_cancel()) return;
    if (behind != 3) found = 100;
    if (GOMP_cancel(1, omp_get_thread_num() == 1)) return;
    if (GOMP_barrier_cancel()) return;
    found = 200;
}

int main(void) {
    GOMP_parallel(part, NULL, 3, 0);
    printf("%d %d\n", found, behind);
    return 0;
}
