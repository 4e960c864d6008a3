// One of the two updates forgets the lock.
// CFLAGS: -fopenmp
#include <omp.h>
#include <stdio.h>

int main(void) {
    omp_lock_t lock;
    int count = 0;
    omp_init_lock(&lock);
#pragma omp parallel
    {
        omp_set_lock(&lock);
        count++;
        omp_unset_lock(&lock);
        count++; // EXPECT: data race
    }
    omp_destroy_lock(&lock);
    printf("%d\n", count > 0);
    return 0;
}
