// setitimer, nanosleep, clocks and usleep: time passes and signals come.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t ticks;
static void on_tick(int number) {
    (void)number;
    ticks++;
}

static double seconds(clockid_t clock) {
    struct timespec now;
    assert(clock_gettime(clock, &now) == 0);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(void) {
    struct sigaction action = {.sa_handler = on_tick};
    sigaction(SIGALRM, &action, NULL);
    struct itimerval interval = {{0, 10000}, {0, 10000}}, left;
    assert(setitimer(ITIMER_REAL, &interval, NULL) == 0);
    int interrupted = 0;
    while (ticks < 5) {
        struct timespec long_time = {5, 0}, rest = {0, 0};
        if (nanosleep(&long_time, &rest) == -1 && errno == EINTR) interrupted++, assert(rest.tv_sec >= 3);
    }
    assert(getitimer(ITIMER_REAL, &left) == 0 && left.it_interval.tv_usec == 10000);
    interval = (struct itimerval){{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &interval, &left);
    int after = ticks;
    printf("%d interrupted\n", interrupted >= 5);
    usleep(30000);
    assert(ticks == after);

    double start = seconds(CLOCK_MONOTONIC);
    struct timespec pause = {0, 25000000};
    assert(nanosleep(&pause, NULL) == 0);
    double gone = seconds(CLOCK_MONOTONIC) - start;
    printf("%d\n", gone >= 0.025 && gone < 5);
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 30000000;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(now.tv_sec > until.tv_sec || (now.tv_sec == until.tv_sec && now.tv_nsec >= until.tv_nsec));

    struct timeval wall;
    gettimeofday(&wall, NULL);
    time_t seconds_now = time(NULL);
    assert(seconds_now - wall.tv_sec >= 0 && seconds_now - wall.tv_sec < 5);
    struct timespec resolution;
    assert(clock_getres(CLOCK_REALTIME, &resolution) == 0 && resolution.tv_sec == 0);
    struct timespec bad = {0, 1000000000};
    assert(nanosleep(&bad, NULL) == -1 && errno == EINVAL);
    alarm(3);
    printf("%u left\n", alarm(0));
    return 0;
}
