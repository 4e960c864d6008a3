// A loop whose tasks reduce a variable.
// CFLAGS: -fopenmp
// STDOUT: 210
#include "parts/gomp_reduction.h"

static void part(void *data) {
    uintptr_t list[10];
    long from, to;
    fill(list);
    bool more = GOMP_loop_start(1, 21, 1, 2, 1, &from, &to, list, NULL);
    int number = omp_get_thread_num();
    *(int *)(list[2] + list[1] * number + list[8]) = 0;
    while (more) {
        for (int i = from; i < to; i++)
            GOMP_task(add, &i, NULL, sizeof i, 4, true, 0, NULL, 0, NULL);
        more = GOMP_loop_dynamic_next(&from, &to);
    }
    GOMP_loop_end();
    if (number == 0) combine(list, omp_get_num_threads());
    GOMP_workshare_task_reduction_unregister(false);
}

int main(void) {
    GOMP_parallel(part, NULL, 0, 0);
    printf("%d\n", total);
    return 0;
}
