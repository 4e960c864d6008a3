// A plain flag with flushes around it: OpenMP's memory model has no order without atomics.
// CFLAGS: -fopenmp
#include <omp.h>
#include <stdio.h>

static int data, ready;

int main(void) {
    int got = 0;
#pragma omp parallel num_threads(2) shared(got)
    {
        if (omp_get_thread_num() == 0) {
            data = 42;
#pragma omp flush
            ready = 1; // EXPECT: data race write
#pragma omp flush
        } else {
#pragma omp flush
            if (ready) // EXPECT: data race read
                got = 1;
        }
    }
    printf("%d\n", got >= 0);
    return 0;
}
