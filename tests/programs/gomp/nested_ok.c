// A region inside a region.
// CFLAGS: -fopenmp
// FLAGS: OMP_MAX_ACTIVE_LEVELS=2
// STDOUT: 12
#include "parts/gomp.h"

static int seen[2][3];

static void inner(void *data) { seen[*(int *)data][omp_get_thread_num()] = omp_get_level(); }

static void outer(void *data) {
    int number = omp_get_thread_num();
    GOMP_parallel(inner, &number, 3, 0);
}

int main(void) {
    int sum = 0;
    GOMP_parallel(outer, NULL, 2, 0);
    for (int i = 0; i < 6; i++) sum += seen[i / 3][i % 3];
    printf("%d\n", sum);
    return 0;
}
