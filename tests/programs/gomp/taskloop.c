// nogroup: nobody has waited for the tasks of the loop.
// CFLAGS: -fopenmp
#include "parts/gomp.h"

struct captured {
    long from, to;
    int *a;
};
static int a[40];

static void body(void *data) {
    struct captured *own = data;
    for (long i = own->from; i < own->to; i += 2)
        own->a[i] = (int)i; // EXPECT: data race|data race write
}

static void part(void *data) {
    if (!GOMP_single_start()) return;
    struct captured given = {0, 40, a};
    unsigned flags = 1 << 11 | 1 << 10 | 1 << 9 | 1 << 8;
    GOMP_taskloop(body, &given, NULL, sizeof given, 8, flags, 4, 0, 0, 40, 2);
    int sum = 0;
    for (int i = 0; i < 40; i++) sum += a[i]; // EXPECT: data race|data race read
    printf("%d\n", sum >= 0);
}

int main(void) {
    GOMP_parallel(part, NULL, 0, 0);
    return 0;
}
