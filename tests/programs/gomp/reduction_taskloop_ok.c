// A taskloop with a reduction.
// CFLAGS: -fopenmp
// STDOUT: 210
#include "parts/gomp_reduction.h"

struct looped {
    long from, to;
    uintptr_t *list;
};

static void body(void *data) {
    struct looped *own = data;
    int *sum = (int *)(own->list[2] + own->list[1] * omp_get_thread_num() + own->list[8]);
    for (long i = own->from; i < own->to; i++) *sum += (int)i;
}

static void part(void *data) {
    if (!GOMP_single_start()) return;
    uintptr_t list[10];
    struct looped given = {0, 0, list};
    fill(list);
    GOMP_taskloop(body, &given, NULL, sizeof given, 8, 1 << 12 | 1 << 10 | 1 << 8, 5, 0, 1, 21, 1);
    combine(list, omp_get_num_threads());
    GOMP_taskgroup_reduction_unregister(list);
}

int main(void) {
    GOMP_parallel(part, NULL, 0, 0);
    printf("%d\n", total);
    return 0;
}
