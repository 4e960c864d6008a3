// Sections touch different things; behind the barrier all are there.
// CFLAGS: -fopenmp
// STDOUT: 3
#include "parts/gomp.h"

static int a, b;

static void part(void *data) {
    for (unsigned n = GOMP_sections_start(3); n != 0; n = GOMP_sections_next()) {
        if (n == 1) a = 2;
        if (n == 2) b = 3;
    }
    GOMP_sections_end();
    GOMP_critical_start();
    a += b;
    GOMP_critical_end();
}

int main(void) {
    GOMP_parallel(part, NULL, 0, 0);
    printf("%d\n", (a - 2) % 3 + b);
    return 0;
}
