// Signals and threads: one thread takes them all with sigwait, others are signalled by name.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static sigset_t taken;
static int counts[3];
static atomic_int poked;
static sem_t ready;

static void *taker(void *argument) {
    (void)argument;
    for (;;) {
        int number;
        assert(sigwait(&taken, &number) == 0);
        if (number == SIGTERM) return NULL;
        counts[number == SIGUSR1 ? 0 : 1]++;
        sem_post(&ready);
    }
}

static void on_poke(int number) {
    (void)number;
    atomic_fetch_add(&poked, 1);
}

static void *sleeper(void *argument) {
    sigset_t own;
    sigemptyset(&own), sigaddset(&own, SIGRTMIN);
    pthread_sigmask(SIG_UNBLOCK, &own, NULL);
    sem_post(&ready);
    while (atomic_load(&poked) < 3) usleep(500);
    return argument;
}

int main(void) {
    sem_init(&ready, 0, 0);
    sigemptyset(&taken);
    sigaddset(&taken, SIGUSR1), sigaddset(&taken, SIGUSR2), sigaddset(&taken, SIGTERM);
    sigset_t all = taken;
    sigaddset(&all, SIGRTMIN);
    assert(pthread_sigmask(SIG_BLOCK, &all, NULL) == 0);
    pthread_t thread, other;
    pthread_create(&thread, NULL, taker, NULL);
    for (int i = 0; i < 6; i++) {
        kill(getpid(), i % 3 ? SIGUSR2 : SIGUSR1);
        while (sem_wait(&ready)) assert(errno == EINTR);
    }
    pthread_kill(thread, SIGTERM);
    pthread_join(thread, NULL);
    printf("%d %d\n", counts[0], counts[1]);

    struct sigaction action = {.sa_handler = on_poke};
    sigaction(SIGRTMIN, &action, NULL);
    pthread_create(&other, NULL, sleeper, &counts[2]);
    while (sem_wait(&ready)) assert(errno == EINTR);
    for (int i = 0; i < 3; i++) {
        int before = atomic_load(&poked);
        assert(pthread_kill(other, SIGRTMIN) == 0);
        while (atomic_load(&poked) == before) usleep(100);
    }
    void *result;
    pthread_join(other, &result);
    assert(result == &counts[2]);
    sigset_t pending;
    assert(sigpending(&pending) == 0 && !sigismember(&pending, SIGUSR1));
    raise(SIGUSR1);
    assert(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1));
    int number;
    assert(sigwait(&taken, &number) == 0 && number == SIGUSR1);
    printf("%d\n", atomic_load(&poked));
    sem_destroy(&ready);
    return 0;
}
