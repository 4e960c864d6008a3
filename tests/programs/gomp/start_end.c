// The parts of other threads are read before the region has ended.
// CFLAGS: -fopenmp
#include "parts/gomp.h"

static int seen[64];

static void part(void *data) {
    seen[omp_get_thread_num()] = *(int *)data; // PREVIOUS: write
}

int main(void) {
    int value = 5, total = 0;
    GOMP_parallel_start(part, &value, 3);
    part(&value);
    total = seen[0] + seen[1] + seen[2]; // EXPECT: data race read
    GOMP_parallel_end();
    printf("%d\n", total > 0);
    return 0;
}
