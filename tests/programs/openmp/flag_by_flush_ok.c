// The flag is written with release and read with acquire.
// CFLAGS: -fopenmp -fopenmp-version=50
// STDOUT: 42
#include <omp.h>
#include <stdio.h>

static int data, ready;

int main(void) {
    int got = 0;
#pragma omp parallel num_threads(2) shared(got)
    {
        if (omp_get_thread_num() == 0) {
            data = 42;
#pragma omp atomic write release
            ready = 1;
        }
        if (omp_get_thread_num() == 1 || omp_get_num_threads() == 1) {
            int seen = 0;
            while (!seen) {
#pragma omp atomic read acquire
                seen = ready;
            }
            got = data;
        }
    }
    printf("%d\n", got);
    return 0;
}
