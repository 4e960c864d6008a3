// A nest lock is taken again by the thread that has it.
// CFLAGS: -fopenmp
// STDOUT: 1
#include <omp.h>
#include <stdio.h>

static omp_nest_lock_t lock;
static int count;

static void add(int depth) {
    omp_set_nest_lock(&lock);
    count++;
    if (depth > 0)
        add(depth - 1);
    omp_unset_nest_lock(&lock);
}

int main(void) {
    int n = 0;
    omp_init_nest_lock(&lock);
#pragma omp parallel reduction(+ : n)
    {
        add(2);
        n += 3;
    }
    omp_destroy_nest_lock(&lock);
    printf("%d\n", count == n);
    return 0;
}
