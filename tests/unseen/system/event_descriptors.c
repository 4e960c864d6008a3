// eventfd, timerfd and signalfd, read by poll in one loop.
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    int event = eventfd(3, EFD_CLOEXEC);
    uint64_t value = 39;
    assert(write(event, &value, sizeof value) == sizeof value);

    sigset_t mask;
    sigemptyset(&mask), sigaddset(&mask, SIGUSR1), sigaddset(&mask, SIGUSR2);
    assert(sigprocmask(SIG_BLOCK, &mask, NULL) == 0);
    int signals = signalfd(-1, &mask, SFD_NONBLOCK);
    raise(SIGUSR1), raise(SIGUSR2);

    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    struct itimerspec spec = {{0, 10000000}, {0, 10000000}}, old;
    assert(timerfd_settime(timer, 0, &spec, NULL) == 0 && timerfd_gettime(timer, &old) == 0);
    assert(old.it_interval.tv_nsec == 10000000);

    struct pollfd sources[] = {{.fd = event, .events = POLLIN}, {.fd = signals, .events = POLLIN}, {.fd = timer, .events = POLLIN}};
    uint64_t expirations = 0, total = 0;
    int seen_signals = 0;
    while (expirations < 3 || seen_signals < 2 || !total) {
        int n = poll(sources, 3, 5000);
        assert(n > 0);
        if (sources[0].revents & POLLIN) {
            assert(read(event, &total, sizeof total) == sizeof total);
        }
        if (sources[1].revents & POLLIN) {
            struct signalfd_siginfo info;
            while (read(signals, &info, sizeof info) == sizeof info) {
                assert(info.ssi_signo == SIGUSR1 || info.ssi_signo == SIGUSR2);
                assert(info.ssi_pid == (uint32_t)getpid());
                seen_signals++;
            }
        }
        if (sources[2].revents & POLLIN && read(timer, &value, sizeof value) == sizeof value) expirations += value;
    }
    printf("%llu %d %d\n", (unsigned long long)total, seen_signals, expirations >= 3);
    memset(&spec, 0, sizeof spec);
    assert(timerfd_settime(timer, 0, &spec, &old) == 0);
    assert(poll(&sources[2], 1, 30) <= 1);
    while (read(timer, &value, sizeof value) > 0) continue;
    assert(errno == EAGAIN);

    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int wall = timerfd_create(CLOCK_REALTIME, 0);
    spec.it_value = now, spec.it_value.tv_sec += 1;
    assert(timerfd_settime(wall, TFD_TIMER_ABSTIME, &spec, NULL) == 0);
    assert(read(wall, &value, sizeof value) == sizeof value);
    printf("%llu\n", (unsigned long long)value);
    value = UINT64_MAX;
    assert(write(event, &value, sizeof value) == -1 && errno == EINVAL);
    close(event), close(signals), close(timer), close(wall);
    return 0;
}
