// timerfds, signalfds and awaited signals of timers: all on the virtual clock.
// STDOUT: read 1 after 30 ms 1
// STDOUT: late 4
// STDOUT: poll 1 0, none yet 1
// STDOUT: epoll 1, copy counts 2
// STDOUT: absolute 1
// STDOUT: left 1, disarmed 1
// STDOUT: signalfd 14 12 12
// STDOUT: awaited 3 of 3, late 1
// STDOUT: paused 14 1
// STDOUT: ppoll 1
// STDOUT: period 5
// SEEDS: few it waits for real time
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t last, times;

static void on_signal(int number) {
    last = number;
    times++;
}

static long now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void set(int file, int flags, long first_ms, long period_ms) {
    struct itimerspec wanted = {{period_ms / 1000, period_ms % 1000 * 1000000},
                                {first_ms / 1000, first_ms % 1000 * 1000000}};
    if (timerfd_settime(file, flags, &wanted, NULL)) puts("not set");
}

static uint64_t count(int file) {
    uint64_t found = 0;
    return read(file, &found, sizeof found) == sizeof found ? found : 0;
}

static void files(void) {
    int file = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    long start = now_ms();
    set(file, 0, 30, 0);
    uint64_t found = count(file);
    long took = now_ms() - start;
    printf("read %d after 30 ms %d\n", (int)found, took >= 30 && took < 60);
    set(file, 0, 10, 10);
    usleep(45000);
    printf("late %d\n", (int)count(file));
    struct pollfd one = {.fd = file, .events = POLLIN};
    set(file, 0, 20, 0);
    int none = poll(&one, 1, 5);
    int some = poll(&one, 1, 100);
    printf("poll %d %d, none yet %d\n", some, one.revents & POLLOUT, none == 0);
    count(file);
    int poller = epoll_create1(0), copy = dup(file);
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(poller, EPOLL_CTL_ADD, file, &event);
    set(copy, 0, 10, 10);
    int ready = epoll_wait(poller, &event, 1, -1);
    usleep(10000);
    close(file);
    printf("epoll %d, copy counts %d\n", ready, (int)count(copy));
    close(poller);
    set(copy, 0, 0, 0);
    struct itimerspec left;
    set(copy, TFD_TIMER_ABSTIME, now_ms() + 20, 0);
    printf("absolute %d\n", (int)count(copy));
    set(copy, 0, 500, 0);
    timerfd_gettime(copy, &left);
    int has = left.it_value.tv_nsec > 400000000L;
    set(copy, 0, 0, 0);
    timerfd_gettime(copy, &left);
    printf("left %d, disarmed %d\n", has, left.it_value.tv_nsec == 0);
    close(copy);
}

static void awaited(void) {
    sigset_t set_of_one;
    sigemptyset(&set_of_one);
    sigaddset(&set_of_one, SIGALRM);
    sigaddset(&set_of_one, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set_of_one, NULL);
    int file = signalfd(-1, &set_of_one, 0);
    struct signalfd_siginfo found = {0};
    alarm(1);
    if (read(file, &found, sizeof found) != sizeof found) puts("short");
    printf("signalfd %d", (int)found.ssi_signo);
    struct sigevent by_two = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2};
    struct itimerspec beat = {{0, 10000000}, {0, 10000000}};
    timer_t beating;
    timer_create(CLOCK_MONOTONIC, &by_two, &beating);
    timer_settime(beating, 0, &beat, NULL);
    for (int i = 0; i < 2; i++)
        if (read(file, &found, sizeof found) == sizeof found) printf(" %d", (int)found.ssi_signo);
    puts("");
    timer_delete(beating);
    close(file);
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2};
    struct itimerspec often = {{0, 10000000}, {0, 10000000}};
    struct timespec limit = {0, 5000000};
    timer_t timer;
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &often, NULL);
    int number = 0, good = 0;
    for (int i = 0; i < 3; i++) good += sigwait(&set_of_one, &number) == 0 && number == SIGUSR2;
    int late = sigtimedwait(&set_of_one, NULL, &limit) == -1 && errno == EAGAIN;
    printf("awaited %d of 3, late %d\n", good, late);
    timer_delete(timer);
    sigtimedwait(&set_of_one, NULL, &limit);
    sigprocmask(SIG_UNBLOCK, &set_of_one, NULL);
}

int main(void) {
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGUSR2, &action, NULL);
    files();
    awaited();
    long start = now_ms();
    alarm(2);
    int ended = pause() == -1 && errno == EINTR && now_ms() - start >= 2000;
    printf("paused %d %d\n", (int)last, ended);
    alarm(3);
    struct timespec limit = {10, 0};
    printf("ppoll %d\n", ppoll(NULL, 0, &limit, NULL) == -1 && errno == EINTR);
    struct itimerval often = {{0, 1000}, {0, 1000}};
    times = 0;
    setitimer(ITIMER_REAL, &often, NULL);
    while (times < 5) pause();
    struct itimerval off = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &off, NULL);
    printf("period %d\n", (int)times);
    return 0;
}
