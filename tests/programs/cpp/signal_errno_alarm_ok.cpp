// The handler of a timer keeps errno by a guard object.
// STDOUT: 3 ticks, errno 0
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <sys/time.h>
static volatile std::sig_atomic_t n_ticks;

struct KeptErrno {
    int before = errno;
    ~KeptErrno() { errno = before; }
};

static void on_tick(int) {
    KeptErrno kept;
    errno = EAGAIN;
    if (n_ticks < 3) n_ticks = n_ticks + 1;
}

int main() {
    struct sigaction action = {};
    action.sa_handler = on_tick;
    sigaction(SIGALRM, &action, nullptr);
    errno = 0;
    itimerval every = {{0, 1000}, {0, 1000}};
    setitimer(ITIMER_REAL, &every, nullptr);
    timeval now;
    while (n_ticks < 3) gettimeofday(&now, nullptr);
    every = {};
    setitimer(ITIMER_REAL, &every, nullptr);
    std::printf("%d ticks, errno %d\n", static_cast<int>(n_ticks), errno);
    return 0;
}
