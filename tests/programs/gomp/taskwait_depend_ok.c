// taskwait for one address.
// CFLAGS: -fopenmp
// STDOUT: 5
#include "parts/gomp.h"

static int a, b;

static void make_one(void *data) { a = 4; }
static void make_two(void *data) { b = 5; }

static void part(void *data) {
    if (!GOMP_single_start()) return;
    void *first[] = {(void *)1, (void *)1, &a}, *second[] = {(void *)1, (void *)1, &b};
    void *wait[] = {(void *)1, (void *)0, &b};
    GOMP_task(make_one, NULL, NULL, 0, 1, true, 8, first, 0, NULL);
    GOMP_task(make_two, NULL, NULL, 0, 1, true, 8, second, 0, NULL);
    GOMP_taskwait_depend(wait);
    printf("%d\n", b);
}

int main(void) {
    GOMP_parallel(part, NULL, 0, 0);
    return 0;
}
