// What a program sees of SIGSEGV when it blocks it: masks, waiting signals, handlers and waits.
// STDOUT: old 0|in 1 1|due 1|fault 11|open 0 0|two 1 0|thread 1|ran 1|polled -1|kept 1 fault 11|end
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);

static volatile int n_ticks;

static int is_blocked(void) {
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    return sigismember(&now, SIGSEGV);
}

static int is_pending(void) {
    sigset_t now;
    sigpending(&now);
    return sigismember(&now, SIGSEGV);
}

static void on_fault(int number) { printf("fault %d|", number); }

static void on_tick(int number) { n_ticks += number == SIGUSR1; }

static void *ask(void *unused) {
    printf("thread %d|", is_blocked());
    return unused;
}

static void handle(int number, void (*handler)(int)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigfillset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

int main(void) {
    sigset_t all, old, none;
    pthread_t thread;
    handle(SIGSEGV, on_fault);
    handle(SIGUSR1, on_tick);
    sigfillset(&all);
    sigemptyset(&none);
    printf("old %d|", is_blocked());
    sigprocmask(SIG_BLOCK, &all, &old);
    printf("in %d %d|", is_blocked(), !sigismember(&old, SIGSEGV));
    raise(SIGSEGV);
    printf("due %d|", is_pending());
    sigprocmask(SIG_SETMASK, &old, NULL);
    printf("open %d %d|", is_blocked(), is_pending());
    old = all;
    sigprocmask(SIG_BLOCK, &old, &old);
    printf("two %d %d|", is_blocked(), sigismember(&old, SIGSEGV));
    pthread_create(&thread, NULL, ask, NULL);
    pthread_join(thread, NULL);
    raise(SIGUSR1);
    old = all;
    sigdelset(&old, SIGUSR1);
    sigsuspend(&old);
    printf("ran %d|", n_ticks);
    raise(SIGUSR1);
    printf("polled %d|", ppoll(NULL, 0, NULL, &old));
    kill(getpid(), SIGSEGV);
    printf("kept %d ", is_pending());
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    printf("end\n");
    return is_blocked();
}
