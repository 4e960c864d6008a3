// A nest of one loop of unsigned numbers.
// CFLAGS: -fopenmp
// STDOUT: 32
#include "parts/gomp.h"

static int a[34];

static void part(void *data) {
    ull counts[1] = {32}, from, to;
    if (GOMP_loop_ull_doacross_dynamic_start(1, counts, 2, &from, &to))
        do
            for (ull i = from; i < to; i++) {
                if (i > 0) GOMP_doacross_ull_wait(i - 1);
                a[i + 1] = a[i] + 1;
                GOMP_doacross_ull_post(&i);
            }
        while (GOMP_loop_ull_dynamic_next(&from, &to));
    GOMP_loop_end_nowait();
}

int main(void) {
    GOMP_parallel(part, NULL, 0, 0);
    printf("%d\n", a[32]);
    return 0;
}
