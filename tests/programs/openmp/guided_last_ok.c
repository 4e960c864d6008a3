// lastprivate takes it from the last iteration.
// CFLAGS: -fopenmp
// STDOUT: 99
#include <stdio.h>

int main(void) {
    int last = 0;
#pragma omp parallel for schedule(guided) lastprivate(last)
    for (int i = 0; i < 100; i++)
        last = i;
    printf("%d\n", last);
    return 0;
}
