// A handler with SA_SIGINFO is told where the program was, however the signal has come.
// STDOUT: raised 1 alarm 1 asleep 1 thread 1
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static volatile sig_atomic_t n_handled, has_place;

static void note(int number, siginfo_t *info, void *context) {
    ucontext_t *where = context;
    char *stack = (char *)where->uc_mcontext.gregs[REG_RSP];
    char here;
    has_place = where->uc_mcontext.gregs[REG_RIP] != 0 && where->uc_mcontext.fpregs != NULL
        && stack > &here - (1 << 20) && stack < &here + (1 << 20) && info->si_signo == number;
    n_handled++;
}

static void *send(void *main_thread) {
    pthread_kill(*(pthread_t *)main_thread, SIGUSR1);
    return NULL;
}

int main(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = note;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    printf("raised %d", n_handled == 1 && has_place);
    struct itimerval soon = {{0, 0}, {0, 1000}};
    setitimer(ITIMER_REAL, &soon, NULL);
    while (n_handled < 2)
        usleep(10);
    printf(" alarm %d", has_place);
    setitimer(ITIMER_REAL, &soon, NULL);
    while (n_handled < 3)
        usleep(100000);
    printf(" asleep %d", has_place);
    pthread_t self = pthread_self(), sender;
    pthread_create(&sender, NULL, send, &self);
    pthread_join(sender, NULL);
    while (n_handled < 4)
        usleep(10);
    printf(" thread %d\n", has_place);
    return 0;
}
