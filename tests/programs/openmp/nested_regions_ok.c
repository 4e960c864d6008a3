// Inner teams add to what belongs to their outer thread, under its own lock.
// CFLAGS: -fopenmp
// FLAGS: OMP_MAX_ACTIVE_LEVELS=3
// STDOUT: 1
#include <omp.h>
#include <stdio.h>

static int count[64];

int main(void) {
    int sum = 0, all = 0;
#pragma omp parallel reduction(+ : sum, all)
    {
        int outer = omp_get_thread_num();
        int inner = 0;
#pragma omp parallel num_threads(3) shared(inner)
        {
#pragma omp atomic
            count[outer]++;
#pragma omp single
            inner = omp_get_num_threads() * (omp_get_level() == 2) *
                    (omp_get_ancestor_thread_num(1) == outer);
        }
        sum += count[outer];
        all += inner;
    }
    printf("%d\n", sum == all && sum % 3 == 0 && sum > 0);
    return 0;
}
