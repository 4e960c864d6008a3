// The parts are combined before the tasks are complete.
// CFLAGS: -fopenmp
#include "parts/gomp.h"

static int total;

struct captured {
    int value;
};

static void add(void *data) {
    void *place[2] = {&total, NULL};
    GOMP_task_reduction_remap(1, 1, place);
    *(int *)place[0] += ((struct captured *)data)->value; // EXPECT: data race
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
    for (int i = 0; i < n_threads; i++)
        total += *(int *)(list[2] + list[1] * i + list[8]); // EXPECT: data race
}

static void part(void *data) {
    if (!GOMP_single_start()) return;
    uintptr_t list[10];
    fill(list);
    GOMP_taskgroup_start();
    GOMP_taskgroup_reduction_register(list);
    make_tasks();
    combine(list, omp_get_num_threads());
    GOMP_taskgroup_end();
    GOMP_taskgroup_reduction_unregister(list);
}

int main(void) {
    GOMP_parallel(part, NULL, 0, 0);
    printf("%d\n", total > -2);
    return 0;
}
