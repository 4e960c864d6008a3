// Two fibers of one thread change a variable; only one of them synchronises with the thread.
#include "fibers.h"
#include <stdio.h>
static Fiber home, first, second;
static int total;

static void add(void) {
    total += 1; // PREVIOUS
    fiber_switch(first, home, NO_SYNC);
}

static void subtract(void) {
    total -= 1; // EXPECT: data race
    fiber_switch(second, home, SYNC);
}

int main(void) {
    home.fiber = __tsan_get_current_fiber();
    fiber_make(&first, add);
    fiber_make(&second, subtract);
    fiber_switch(home, first, SYNC);
    fiber_switch(home, second, SYNC);
    __tsan_destroy_fiber(first.fiber);
    __tsan_destroy_fiber(second.fiber);
    printf("%d\n", total);
    return 0;
}
