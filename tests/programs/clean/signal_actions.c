// What sigaction and signal answer and do: old actions, one-shot handlers, siginfo, recovery.
// STDOUT: default at first 1, then ours 1
// STDOUT: raise and kill: 2
// STDOUT: siginfo names us 1
// STDOUT: signal answers 1 1, ignored: 2
// STDOUT: recovered 2 times
// STDOUT: one shot: default again 1, handled 3
// STDOUT: no such signal 1
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t handled, from_us;
static sigjmp_buf recovery;

static void on_signal(int number) { handled += number > 0; }

static void on_info(int number, siginfo_t *info, void *context) {
    from_us = number == SIGRTMIN + 1 && info->si_pid == getpid() && context != NULL;
}

static void on_fault(int number) { siglongjmp(recovery, number); }

int main(void) {
    struct sigaction action = {0}, old;
    action.sa_handler = on_signal;
    sigaction(SIGTERM, &action, &old);
    int was_default = old.sa_handler == SIG_DFL;
    sigaction(SIGTERM, NULL, &old);
    printf("default at first %d, then ours %d\n", was_default, old.sa_handler == on_signal);
    raise(SIGTERM);
    kill(getpid(), SIGTERM);
    printf("raise and kill: %d\n", (int)handled);

    action.sa_sigaction = on_info;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGRTMIN + 1, &action, NULL);
    raise(SIGRTMIN + 1);
    printf("siginfo names us %d\n", (int)from_us);

    int first = signal(SIGUSR1, on_signal) == SIG_DFL;
    int second = signal(SIGUSR1, SIG_IGN) == on_signal;
    raise(SIGUSR1);
    printf("signal answers %d %d, ignored: %d\n", first, second, (int)handled);

    volatile int recovered = 0;
    volatile int *volatile nowhere = (volatile int *)8;
    signal(SIGSEGV, on_fault);
    for (int i = 0; i < 2; i++) {
        if (sigsetjmp(recovery, 1) == 0) *nowhere = 1;
        else recovered += 1;
    }
    printf("recovered %d times\n", recovered);

    action.sa_handler = on_signal;
    action.sa_flags = (int)SA_RESETHAND;
    sigaction(SIGUSR2, &action, NULL);
    raise(SIGUSR2);
    sigaction(SIGUSR2, NULL, &old);
    printf("one shot: default again %d, handled %d\n", old.sa_handler == SIG_DFL, (int)handled);
    printf("no such signal %d\n", signal(99, on_signal) == SIG_ERR);
    return 0;
}
