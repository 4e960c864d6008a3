// Real-time signals with values, masks, sigwaitinfo, sigsuspend and an interrupted read.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static volatile sig_atomic_t hits, last_value, nested;

static void on_value(int number, siginfo_t *info, void *context) {
    (void)context;
    hits++;
    last_value = info->si_value.sival_int;
    nested += number == SIGRTMIN;
}
static void on_plain(int number) { hits += 100 + 0 * number; }

int main(void) {
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    action.sa_sigaction = on_value;
    sigemptyset(&action.sa_mask);
    assert(sigaction(SIGRTMIN, &action, NULL) == 0);
    struct sigaction plain = {.sa_handler = on_plain};
    assert(sigaction(SIGUSR1, &plain, NULL) == 0);

    for (int i = 1; i <= 3; i++) assert(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i * 11}) == 0);
    printf("%d hits, last %d, nested %d\n", (int)hits, (int)last_value, (int)nested);

    sigset_t block, old, pending;
    sigemptyset(&block);
    sigaddset(&block, SIGRTMIN), sigaddset(&block, SIGUSR1), sigaddset(&block, SIGUSR2);
    assert(sigprocmask(SIG_BLOCK, &block, &old) == 0);
    for (int i = 0; i < 4; i++) sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i});
    for (int i = 0; i < 4; i++) raise(SIGUSR2);
    assert(sigpending(&pending) == 0 && sigismember(&pending, SIGRTMIN) && sigismember(&pending, SIGUSR2));
    siginfo_t info;
    int order = 0;
    sigset_t real_time;
    sigemptyset(&real_time), sigaddset(&real_time, SIGRTMIN);
    for (int i = 0; i < 4; i++) {
        assert(sigwaitinfo(&real_time, &info) == SIGRTMIN && info.si_code == SI_QUEUE && info.si_pid == getpid());
        order = order * 10 + info.si_value.sival_int;
    }
    int number = 0;
    assert(sigwait(&block, &number) == 0 && number == SIGUSR2);
    struct timespec short_time = {0, 2000000};
    assert(sigtimedwait(&block, &info, &short_time) == -1 && errno == EAGAIN);
    printf("order %04d\n", order);

    raise(SIGUSR1);
    assert(hits == 3);
    sigset_t none;
    sigemptyset(&none);
    assert(sigsuspend(&none) == -1 && errno == EINTR && hits == 103);
    sigprocmask(SIG_SETMASK, &old, NULL);

    int ends[2];
    char byte;
    assert(pipe(ends) == 0);
    alarm(1);
    signal(SIGALRM, on_plain);
    siginterrupt(SIGALRM, 1);
    ssize_t n = read(ends[0], &byte, 1);
    printf("read %zd %s, %d hits\n", n, strerror(errno), (int)hits);
    signal(SIGUSR1, SIG_IGN);
    assert(raise(SIGUSR1) == 0 && kill(getpid(), 0) == 0);
    return n == -1 && hits == 203 ? 0 : 1;
}
