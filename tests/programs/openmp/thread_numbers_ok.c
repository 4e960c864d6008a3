// Tasks of one thread take turns on what belongs to its number.
// CFLAGS: -fopenmp
// STDOUT: 20
#include <omp.h>
#include <stdio.h>

static int count[64];
static int own;
#pragma omp threadprivate(own)

int main(void) {
    int sum = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task
        {
            count[omp_get_thread_num()]++;
            own++;
        }
    }
    for (int i = 0; i < 64; i++)
        sum += count[i];
    printf("%d\n", sum);
    return 0;
}
