// Dependences of objects: an address and its kind.
// CFLAGS: -fopenmp
// STDOUT: 6
#include "parts/gomp.h"

static int a, b;

static void make(void *data) { a = 5; }
static void use(void *data) { b = a + 1; }

static void part(void *data) {
    if (!GOMP_single_start()) return;
    void *object_out[2] = {&a, (void *)2}, *object_in[2] = {&a, (void *)1};
    void *out[] = {NULL, (void *)1, NULL, NULL, NULL, object_out};
    void *in[] = {NULL, (void *)2, (void *)1, NULL, NULL, &b, object_in};
    GOMP_task(make, NULL, NULL, 0, 1, true, 8, out, 0, NULL);
    GOMP_task(use, NULL, NULL, 0, 1, false, 8, in, 0, NULL);
    printf("%d\n", b);
}

int main(void) {
    GOMP_parallel(part, NULL, 0, 0);
    return 0;
}
