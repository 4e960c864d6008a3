// Updates under the lock of atomic updates.
// CFLAGS: -fopenmp
// STDOUT: 1
#include "parts/gomp.h"

static int sum;

static void part(void *data) {
    GOMP_atomic_start();
    sum += *(int *)data;
    GOMP_atomic_end();
}

int main(void) {
    int by = 2;
    GOMP_parallel(part, &by, 0, 0);
    printf("%d\n", sum % 2 == 0 && sum > 0);
    return 0;
}
