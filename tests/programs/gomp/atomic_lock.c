// The update of one thread is outside the lock of atomic updates.
// CFLAGS: -fopenmp
#include "parts/gomp.h"

static int sum;

static void part(void *data) {
    bool is_safe = omp_get_thread_num() != 0;
    if (is_safe) GOMP_atomic_start();
    sum += *(int *)data; // EXPECT: data race
    if (is_safe) GOMP_atomic_end();
}

int main(void) {
    int by = 2;
    GOMP_parallel(part, &by, 0, 0);
    printf("%d\n", sum % 2 == 0 && sum > 0);
    return 0;
}
