// A loop whose tasks reduce a variable.
// CFLAGS: -fopenmp
// STDOUT: 210
#include "parts/gomp.h"

static int total;

struct captured {
    int value;
};

static void add(void *data) {
    void *place[2] = {&total, NULL};
    GOMP_task_reduction_remap(1, 1, place);
    *(int *)place[0] += ((struct captured *)data)->value;
    if (place[1] != &total) total = -1;
}

static void make_tasks(void) {
    for (int i = 1; i <= 20; i++)
        GOMP_task(add, &i, NULL, sizeof i, 4, true, 0, NULL, 0, NULL);
}

static void fill(uintptr_t *list) {
    list[0] = 1;
    list[1] = list[2] = 64;
    list[3] = (uintptr_t)-1;
    list[4] = 0;
    list[7] = (uintptr_t)&total;
    list[8] = 8;
}

static void combine(uintptr_t *list, int n_threads) {
    for (int i = 0; i < n_threads; i++) total += *(int *)(list[2] + list[1] * i + list[8]);
}

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
