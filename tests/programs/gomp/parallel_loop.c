// A region that is a loop: neighbours are read and written.
// CFLAGS: -fopenmp
#include "parts/gomp.h"

static int a[33];

static void part(void *data) {
    long from, to;
    while (GOMP_loop_dynamic_next(&from, &to))
        for (long i = from; i < to; i++) a[i] = a[i + 1] + 1; // EXPECT: data race
    GOMP_loop_end_nowait();
}

int main(void) {
    GOMP_parallel_loop_nonmonotonic_dynamic(part, NULL, 0, 0, 32, 1, 1, 0);
    printf("%d\n", a[0] >= 0);
    return 0;
}
