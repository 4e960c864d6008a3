// All updates have the lock: waited for, or tried until it is free.
// CFLAGS: -fopenmp
// STDOUT: 1
#include <omp.h>
#include <stdio.h>

int main(void) {
    omp_lock_t lock;
    int count = 0, n = 0;
    omp_init_lock(&lock);
#pragma omp parallel reduction(+ : n)
    {
        omp_set_lock(&lock);
        count++;
        omp_unset_lock(&lock);
        while (!omp_test_lock(&lock))
            ;
        count++;
        omp_unset_lock(&lock);
        n++;
    }
    omp_destroy_lock(&lock);
    printf("%d\n", count == 2 * n);
    return 0;
}
