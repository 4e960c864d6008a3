// A fiber and the thread that runs it take turns, but their switches order nothing.
// STDOUT: 2
#include "fibers.h"
#include <stdio.h>
static Fiber home, worker;
static int counter;

static void work(void) {
    counter = 2; // EXPECT: data race write 4
    fiber_switch(worker, home, SYNC);
}

int main(void) {
    home.fiber = __tsan_get_current_fiber();
    fiber_make(&worker, work);
    counter = 1; // PREVIOUS: write 4
    fiber_switch(home, worker, NO_SYNC);
    __tsan_destroy_fiber(worker.fiber);
    printf("%d\n", counter);
    return 0;
}
