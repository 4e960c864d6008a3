// The event says that the task is complete, but nobody waits for it.
// CFLAGS: -fopenmp -fopenmp-version=50
#include <omp.h>
#include <stdio.h>

int main(void) {
    int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task shared(x) detach(event)
        x = 5; // PREVIOUS: write
        omp_fulfill_event(event);
        y = x; // EXPECT: data race read
    }
    printf("%d\n", y >= 0);
    return 0;
}
