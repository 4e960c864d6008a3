// A taskgroup whose tasks reduce a variable.
// CFLAGS: -fopenmp
// STDOUT: 210
#include "parts/gomp_reduction.h"

static void part(void *data) {
    if (!GOMP_single_start()) return;
    uintptr_t list[10];
    fill(list);
    GOMP_taskgroup_start();
    GOMP_taskgroup_reduction_register(list);
    make_tasks();
    GOMP_taskgroup_end();
    combine(list, omp_get_num_threads());
    GOMP_taskgroup_reduction_unregister(list);
}

int main(void) {
    GOMP_parallel(part, NULL, 0, 0);
    printf("%d\n", total);
    return 0;
}
