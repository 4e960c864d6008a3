// A signal that waits already is not sent twice to a thread, but one from SIGRTMIN on is.
// STDOUT: SIGUSR1 1, SIGRTMIN 3
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int stage;
static volatile sig_atomic_t n_usr1, n_queued;

static void on_signal(int number) {
    if (number == SIGUSR1) n_usr1++;
    else n_queued++;
}

static void await(int wanted) {
    while (stage < wanted) usleep(10);
}

static void *work(void *unused) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    stage = 1;
    await(2);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    printf("SIGUSR1 %d, SIGRTMIN %d\n", (int)n_usr1, (int)n_queued);
    return unused;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, on_signal);
    signal(SIGRTMIN, on_signal);
    pthread_create(&thread, NULL, work, NULL);
    await(1);
    for (int i = 0; i < 3; i++) {
        pthread_kill(thread, SIGUSR1);
        pthread_kill(thread, SIGRTMIN);
    }
    stage = 2;
    pthread_join(thread, NULL);
    return 0;
}
