// Tasks that reduce `total`, and the list that says so (interceptors/openmp/gomp/gomp_reductions.py).
#include "gomp.h"

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
