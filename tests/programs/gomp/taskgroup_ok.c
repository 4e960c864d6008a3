// A taskgroup waits for grandchildren as well.
// CFLAGS: -fopenmp
// STDOUT: 3
#include "parts/gomp.h"

int x;

static void grandchild(void *data) { x = 3; }
static void child(void *data) {
    GOMP_task(grandchild, NULL, NULL, 0, 1, true, 0, NULL, 0, NULL);
}

static void part(void *data) {
    if (!GOMP_single_start()) return;
    GOMP_taskgroup_start();
    GOMP_task(child, NULL, NULL, 0, 1, true, 0, NULL, 0, NULL);
    GOMP_taskyield();
    GOMP_taskgroup_end();
    printf("%d\n", x);
}

int main(void) {
    GOMP_parallel(part, NULL, 0, 0);
    return 0;
}
