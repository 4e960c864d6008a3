// The second task names another address than it reads.
// CFLAGS: -fopenmp
#include "parts/gomp.h"

static int a, b, sum;

static void make(void *data) { a = 5; } // EXPECT: data race|data race write
static void use(void *data) { b = a + 1; } // EXPECT: data race|data race read
static void add(void *data) { sum += *(int *)data; }

static void part(void *data) {
    if (!GOMP_single_start()) return;
    void *out[] = {(void *)1, (void *)1, &a};
    void *in[] = {(void *)2, (void *)1, &b, &sum};
    void *mutex[] = {NULL, (void *)2, (void *)0, (void *)1, (void *)1, &sum, &b};
    GOMP_task(make, NULL, NULL, 0, 1, true, 8, out, 0, NULL);
    GOMP_task(use, NULL, NULL, 0, 1, true, 8, in, 0, NULL);
    for (int i = 1; i < 4; i++) GOMP_task(add, &i, NULL, sizeof i, 4, true, 8, mutex, 0, NULL);
}

int main(void) {
    GOMP_parallel(part, NULL, 0, 0);
    printf("%d %d\n", b > 0, sum);
    return 0;
}
