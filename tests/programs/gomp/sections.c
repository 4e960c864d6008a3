// One section writes what another one reads.
// CFLAGS: -fopenmp
// SEEDS: some one thread may do both sections
#include "parts/gomp.h"

static int a, b;

static void part(void *data) {
    for (unsigned n = GOMP_sections_start(3); n != 0; n = GOMP_sections_next()) {
        if (n == 1) a = 2; // PREVIOUS: write
        if (n == 2) b = 3;
        if (n == 3) *(int *)data = a; // EXPECT: data race read
    }
    GOMP_sections_end();
}

int main(void) {
    int copy = 0;
    GOMP_parallel(part, &copy, 0, 0);
    printf("%d\n", b + (copy < 0));
    return 0;
}
