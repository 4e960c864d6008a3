// A signal that is pending when ppoll, pselect or sigsuspend opens the mask ends the wait at once.
// STDOUT: ppoll -1 1, pselect -1 1, sent 2, sigsuspend -1 1, early 1
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t handled;

static void on_signal(int number) {
    (void)number;
    handled++;
}

int main(void) {
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    sigset_t block, open;
    sigemptyset(&block);
    sigaddset(&block, SIGUSR1);
    sigprocmask(SIG_BLOCK, &block, &open);
    struct timespec before, after, long_time = {100, 0};
    clock_gettime(CLOCK_MONOTONIC, &before);
    int ends[2];
    if (pipe(ends)) return 1;
    struct pollfd quiet = {ends[0], POLLIN, 0};
    raise(SIGUSR1);
    int result = ppoll(&quiet, 1, &long_time, &open);
    printf("ppoll %d %d, ", result, errno == EINTR);
    kill(getpid(), SIGUSR1);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    result = pselect(ends[0] + 1, &set, NULL, NULL, &long_time, &open);
    printf("pselect %d %d, sent %d, ", result, errno == EINTR, handled);
    raise(SIGUSR1);
    result = sigsuspend(&open);
    clock_gettime(CLOCK_MONOTONIC, &after);
    printf("sigsuspend %d %d, early %d\n", result, errno == EINTR && handled == 3,
           after.tv_sec - before.tv_sec < 50);
    return 0;
}
