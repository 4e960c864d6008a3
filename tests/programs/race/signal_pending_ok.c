// A blocked signal waits for its own thread, until that unblocks it, waits for it or suspends.
// STDOUT: waits for its thread 1, for no other 1
// STDOUT: handled by whom it was sent to 1
// STDOUT: taken without a handler 1
// STDOUT: handled while suspended 1
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
static sigset_t usr1, usr2;
static pthread_t handled_by;
static atomic_int n_handled, stage;
static int took;

static void on_signal(int number) {
    (void)number;
    handled_by = pthread_self();
    atomic_fetch_add(&n_handled, 1);
}

static void await(int wanted) {
    while (stage < wanted) usleep(10);
}

static void *work(void *unused) {
    sigset_t both = usr1;
    sigaddset(&both, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &both, NULL);
    raise(SIGUSR1);
    sigset_t pending;
    sigpending(&pending);
    int waits = sigismember(&pending, SIGUSR1);
    stage = 1;
    await(2);
    printf("waits for its thread %d, for no other %d\n", waits, n_handled == 0);
    pthread_sigmask(SIG_UNBLOCK, &usr1, NULL);
    printf("handled by whom it was sent to %d\n", pthread_equal(handled_by, pthread_self()) != 0);
    stage = 3;
    sigwait(&usr2, &took);
    return unused;
}

int main(void) {
    pthread_t thread;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    sigemptyset(&usr2);
    sigaddset(&usr2, SIGUSR2);
    signal(SIGUSR1, on_signal);
    pthread_create(&thread, NULL, work, NULL);
    await(1);
    for (int i = 0; i < 100; i++) usleep(10);
    stage = 2;
    await(3);
    pthread_kill(thread, SIGUSR2);
    pthread_join(thread, NULL);
    printf("taken without a handler %d\n", took == SIGUSR2);
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_BLOCK, &usr1, NULL);
    n_handled = 0;
    raise(SIGUSR1);
    sigsuspend(&none);
    printf("handled while suspended %d\n", (int)n_handled);
    return 0;
}
