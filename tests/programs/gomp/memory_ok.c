// Memory of the allocate clause, aligned as it asks.
// CFLAGS: -fopenmp
// STDOUT: 0
#include "parts/gomp.h"

static void part(void *data) {
    int *own = GOMP_alloc(64, 12, 0);
    own[2] = (uintptr_t)own % 64 != 0;
    GOMP_critical_start();
    *(int *)data += own[2];
    GOMP_critical_end();
    GOMP_free(own, 0);
}

int main(void) {
    int bad = 0;
    GOMP_parallel(part, &bad, 0, 0);
    printf("%d\n", bad);
    return 0;
}
