// The handler of a timer writes errno and counts; the loop it interrupts reads errno.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <sys/time.h>
static volatile std::sig_atomic_t n_ticks;

static void on_tick(int) { // EXPECT: signal handler spoils errno
    errno = EAGAIN;
    n_ticks = n_ticks + 1;
}

int main() {
    struct sigaction action = {};
    action.sa_handler = on_tick;
    sigaction(SIGALRM, &action, nullptr);
    itimerval every = {{0, 1000}, {0, 1000}};
    setitimer(ITIMER_REAL, &every, nullptr);
    timeval now;
    while (n_ticks < 3) gettimeofday(&now, nullptr);
    every = {};
    setitimer(ITIMER_REAL, &every, nullptr);
    std::puts("done");
    return 0;
}
