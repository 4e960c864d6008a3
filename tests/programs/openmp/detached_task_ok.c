// What was done before the event is fulfilled is known behind the taskwait, too.
// CFLAGS: -fopenmp -fopenmp-version=50
// STDOUT: 12
#include <omp.h>
#include <stdio.h>

int main(void) {
    int x = 0, y = 0, sum = 0;
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task shared(x) detach(event)
        x = 5;
#pragma omp task shared(y) firstprivate(event)
        {
            y = 7;
            omp_fulfill_event(event);
        }
#pragma omp taskwait
        sum = x + y;
    }
    printf("%d\n", sum);
    return 0;
}
