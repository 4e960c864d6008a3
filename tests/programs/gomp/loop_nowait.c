// The second loop reads what the first has written, without a barrier between them.
// CFLAGS: -fopenmp
#include "parts/gomp.h"

static int a[32], b[32];

static void part(void *data) {
    long from, to;
    if (GOMP_loop_dynamic_start(0, 32, 1, 2, &from, &to))
        do
            for (long i = from; i < to; i++) a[i] = (int)i; // EXPECT: data race
        while (GOMP_loop_dynamic_next(&from, &to));
    GOMP_loop_end_nowait();
    if (GOMP_loop_static_start(0, 32, 1, 1, &from, &to))
        do
            for (long i = from; i < to; i++) b[i] = a[31 - i]; // EXPECT: data race
        while (GOMP_loop_static_next(&from, &to));
    GOMP_loop_end_nowait();
}

int main(void) {
    int sum = 0;
    GOMP_parallel(part, NULL, 0, 0);
    for (int i = 0; i < 32; i++) sum += b[i];
    printf("%d\n", sum >= 0);
    return 0;
}
