// A task that is not deferred is its maker's own work.
// CFLAGS: -fopenmp
// STDOUT: 105
#include "parts/gomp.h"

struct captured {
    int *x;
    int by;
};

static void body(void *data) {
    struct captured *own = data;
    *own->x += own->by;
    own->by = 0;
}

static void part(void *data) {
    if (!GOMP_single_start()) return;
    int x = 1;
    struct captured given = {&x, 4};
    GOMP_task(body, &given, NULL, sizeof given, 8, false, 0, NULL, 0, NULL);
    given.by = 100;
    *(int *)data = x + given.by;
    GOMP_taskwait();
}

int main(void) {
    int result = 0;
    GOMP_parallel(part, &result, 0, 0);
    printf("%d\n", result);
    return 0;
}
