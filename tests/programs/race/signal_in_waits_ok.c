// A signal's handler runs in a thread that waits, for whatever it waits, and the wait goes on.
// NATIVE: skip handlers do not run in threads that wait for some of these there
// STDOUT: 7 handlers, 7 waits over
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
enum { WAITS = 7 };
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER, mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_t sleeper;
static sem_t semaphore;
static int told, n_over, go;
static atomic_int n_handled, n_started;

static void on_signal(int number) {
    (void)number;
    atomic_fetch_add(&n_handled, 1);
}

static void *last_to_end(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!go) pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *work(void *which) {
    atomic_fetch_add(&n_started, 1);
    switch ((long)which) {
    case 0: pthread_mutex_lock(&held); pthread_mutex_unlock(&held); break;
    case 1: pthread_rwlock_rdlock(&rwlock); pthread_rwlock_unlock(&rwlock); break;
    case 2: pthread_barrier_wait(&barrier); break;
    case 3: while (sem_wait(&semaphore) != 0) {} break;
    case 4: pthread_join(sleeper, NULL); break;
    case 5:
        pthread_mutex_lock(&mutex);
        while (!told) pthread_cond_wait(&condition, &mutex);
        pthread_mutex_unlock(&mutex);
        break;
    default: usleep(1000000);
    }
    pthread_mutex_lock(&mutex);
    n_over++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[WAITS];
    struct sigaction action = {0};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigaction(SIGUSR1, &action, NULL);
    pthread_barrier_init(&barrier, NULL, 2);
    sem_init(&semaphore, 0, 0);
    pthread_mutex_lock(&held);
    pthread_rwlock_wrlock(&rwlock);
    pthread_create(&sleeper, NULL, last_to_end, NULL);
    for (long i = 0; i < WAITS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    while (n_started < WAITS) {}
    usleep(1000);
    for (int i = 0; i < WAITS; i++) pthread_kill(threads[i], SIGUSR1);
    while (n_handled < WAITS) {}
    pthread_mutex_lock(&mutex);
    int too_early = n_over > 1 ? n_over - 1 : 0; // the sleep ends with its signal
    told = go = 1;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&held);
    pthread_rwlock_unlock(&rwlock);
    pthread_barrier_wait(&barrier);
    sem_post(&semaphore);
    for (int i = 0; i < WAITS; i++) pthread_join(threads[i], NULL);
    printf("%d handlers, %d waits over\n", (int)n_handled, n_over - too_early);
    return 0;
}
