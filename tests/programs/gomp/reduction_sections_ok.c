// Sections whose tasks reduce a variable.
// CFLAGS: -fopenmp
// STDOUT: 210
#include "parts/gomp_reduction.h"

static void part(void *data) {
    uintptr_t list[10];
    fill(list);
    unsigned section = GOMP_sections2_start(1, list, NULL);
    int number = omp_get_thread_num();
    *(int *)(list[2] + list[1] * number + list[8]) = 0;
    while (section != 0) {
        make_tasks();
        section = GOMP_sections_next();
    }
    GOMP_sections_end();
    if (number == 0) combine(list, omp_get_num_threads());
    GOMP_workshare_task_reduction_unregister(false);
}

int main(void) {
    GOMP_parallel(part, NULL, 0, 0);
    printf("%d\n", total);
    return 0;
}
