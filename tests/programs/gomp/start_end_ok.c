// A region whose first thread goes on to its end.
// CFLAGS: -fopenmp
// STDOUT: 15
#include "parts/gomp.h"

static int seen[64];

static void part(void *data) {
    seen[omp_get_thread_num()] = *(int *)data;
}

int main(void) {
    int value = 5, total = 0;
    GOMP_parallel_start(part, &value, 3);
    part(&value);
    GOMP_parallel_end();
    total = seen[0] + seen[1] + seen[2];
    printf("%d\n", total);
    return 0;
}
