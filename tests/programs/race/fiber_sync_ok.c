// A fiber and the thread that runs it take turns; each switch hands over what was done.
// STDOUT: 100
#include "fibers.h"
#include <stdio.h>
static Fiber home, worker;
static int counter;

static void work(void) {
    for (;;) {
        counter++;
        fiber_switch(worker, home, SYNC);
    }
}

int main(void) {
    home.fiber = __tsan_get_current_fiber();
    fiber_make(&worker, work);
    for (int i = 0; i < 50; i++) {
        counter++;
        fiber_switch(home, worker, SYNC);
    }
    __tsan_destroy_fiber(worker.fiber);
    printf("%d\n", counter);
    return 0;
}
