// EXIT: 0
// A profiler's timer that nobody stops ends with the program, whatever is done after it.
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

static volatile sig_atomic_t n_ticks;

static void tick(int number) { n_ticks += number == SIGPROF; }

int main(void) {
    struct sigaction action = {0};
    struct itimerval often = {{0, 50}, {0, 50}};
    action.sa_handler = tick;
    sigaction(SIGPROF, &action, NULL);
    if (setitimer(ITIMER_PROF, &often, NULL)) return 1;
    volatile unsigned sum = 0;
    for (unsigned i = 0; i < 3000000; i++) sum += i;
    return 0;
}
