// What a final task makes is its own work.
// CFLAGS: -fopenmp
// STDOUT: 13
#include "parts/gomp.h"

static int total;

static void inner(void *data) { total += 1; }

static void outer(void *data) {
    for (int i = 0; i < 3; i++) GOMP_task(inner, NULL, NULL, 0, 1, true, 0, NULL, 0, NULL);
    total += 10;
}

static void part(void *data) {
    if (GOMP_single_start()) GOMP_task(outer, NULL, NULL, 0, 1, true, 2, NULL, 0, NULL);
}

int main(void) {
    GOMP_parallel(part, NULL, 0, 0);
    printf("%d\n", total);
    return 0;
}
