// Two nest locks protect one variable.
// CFLAGS: -fopenmp
#include <omp.h>
#include <stdio.h>

static omp_nest_lock_t locks[2];
static int count;

static void add(omp_nest_lock_t *lock) {
    omp_set_nest_lock(lock);
    count++; // EXPECT: data race
    omp_unset_nest_lock(lock);
}

int main(void) {
    omp_init_nest_lock(&locks[0]);
    omp_init_nest_lock(&locks[1]);
#pragma omp parallel
    add(&locks[omp_get_thread_num() % 2]);
    omp_destroy_nest_lock(&locks[0]);
    omp_destroy_nest_lock(&locks[1]);
    printf("%d\n", count > 0);
    return 0;
}
