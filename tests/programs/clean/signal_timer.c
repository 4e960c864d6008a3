// A timer interrupts the allocator again and again; its handler runs, and allocates, between two
// instructions of the program, never inside the allocator.
// FLAGS: TSAN_OPTIONS=report_signal_unsafe=0
// STDOUT: enough ticks
// SEEDS: few it waits for real time
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile sig_atomic_t ticks;
static char *volatile kept;

static void on_tick(int number) {
    free(kept);
    kept = malloc((size_t)number);
    ticks += 1;
}

int main(void) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    struct itimerspec often = {{0, 500000}, {0, 500000}};
    timer_t timer;
    signal(SIGUSR1, on_tick);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer)) return 1;
    timer_settime(timer, 0, &often, NULL);
    while (ticks < 20) {
        char *volatile block = malloc(24);
        block[23] = 1;
        free(block);
    }
    timer_delete(timer);
    free(kept);
    kept = NULL;
    puts("enough ticks");
    return 0;
}
