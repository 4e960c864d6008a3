// A region whose tasks reduce a variable.
// CFLAGS: -fopenmp
// STDOUT: 210
#include "parts/gomp_reduction.h"

static void part(void *data) {
    uintptr_t *list = *(uintptr_t **)data;
    *(int *)(list[2] + list[1] * omp_get_thread_num() + list[8]) = 0;
    if (GOMP_single_start()) make_tasks();
}

int main(void) {
    uintptr_t list[10], *given = list;
    fill(list);
    unsigned n = GOMP_parallel_reductions(part, &given, 0, 0);
    combine(list, n);
    GOMP_taskgroup_reduction_unregister(list);
    printf("%d\n", total);
    return 0;
}
