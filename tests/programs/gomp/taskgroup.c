// taskwait waits for children only.
// CFLAGS: -fopenmp
#include "parts/gomp.h"

int x;

static void grandchild(void *data) { x = 3; } // EXPECT: data race|data race write
static void child(void *data) {
    GOMP_task(grandchild, NULL, NULL, 0, 1, true, 0, NULL, 0, NULL);
}

static void part(void *data) {
    if (!GOMP_single_start()) return;
    GOMP_task(child, NULL, NULL, 0, 1, true, 0, NULL, 0, NULL);
    GOMP_taskwait();
    printf("%d\n", x >= 0); // EXPECT: data race|data race read
}

int main(void) {
    GOMP_parallel(part, NULL, 0, 0);
    return 0;
}
