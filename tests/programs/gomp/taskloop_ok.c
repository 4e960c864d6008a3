// A taskloop waits for its tasks.
// CFLAGS: -fopenmp
// STDOUT: 380
#include "parts/gomp.h"

struct captured {
    long from, to;
    int *a;
};
static int a[40];

static void body(void *data) {
    struct captured *own = data;
    for (long i = own->from; i < own->to; i += 2) own->a[i] = (int)i;
}

static void part(void *data) {
    if (!GOMP_single_start()) return;
    struct captured given = {0, 40, a};
    GOMP_taskloop(body, &given, NULL, sizeof given, 8, 1 << 10 | 1 << 9 | 1 << 8, 4, 0, 0, 40, 2);
    int sum = 0;
    for (int i = 0; i < 40; i++) sum += a[i];
    printf("%d\n", sum);
}

int main(void) {
    GOMP_parallel(part, NULL, 0, 0);
    return 0;
}
