// rwlocks, barriers, spin locks, error checking and recursive mutexes, timed waits.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, STEPS = 10 };
static pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static int table[16], version, serial, spins;

static void *worker(void *argument) {
    long id = (long)argument, seen = 0;
    for (int step = 0; step < STEPS; step++) {
        if (step % THREADS == id) {
            pthread_rwlock_wrlock(&table_lock);
            for (int i = 0; i < 16; i++) table[i] = step;
            version++;
            pthread_rwlock_unlock(&table_lock);
        }
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) serial++;
        pthread_rwlock_rdlock(&table_lock);
        for (int i = 1; i < 16; i++) assert(table[i] == table[0]);
        seen += table[0];
        pthread_rwlock_unlock(&table_lock);
        pthread_spin_lock(&spin);
        spins++;
        pthread_spin_unlock(&spin);
        pthread_barrier_wait(&barrier);
    }
    return (void *)seen;
}

static struct timespec soon(long ms) {
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_nsec += ms * 1000000;
    at.tv_sec += at.tv_nsec / 1000000000;
    at.tv_nsec %= 1000000000;
    return at;
}

static void *try_timed(void *argument) {
    struct timespec at = soon(10);
    int result = pthread_mutex_timedlock(argument, &at);
    if (!result) pthread_mutex_unlock(argument);
    return (void *)(long)result;
}

int main(void) {
    pthread_barrier_init(&barrier, NULL, THREADS);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < THREADS; i++) {
        void *seen;
        pthread_join(threads[i], &seen);
        assert((long)seen == STEPS * (STEPS - 1) / 2);
    }
    printf("%d %d %d\n", version, serial, spins);
    pthread_barrier_destroy(&barrier);
    pthread_spin_destroy(&spin);
    pthread_rwlock_destroy(&table_lock);

    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, &kind);
    pthread_mutexattr_destroy(&kind);
    assert(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_trylock(&mutex) == 0);
    void *result;
    pthread_create(&threads[0], NULL, try_timed, &mutex);
    pthread_join(threads[0], &result);
    printf("%d\n", (long)result == ETIMEDOUT);
    pthread_mutex_unlock(&mutex), pthread_mutex_unlock(&mutex);
    pthread_create(&threads[0], NULL, try_timed, &mutex);
    pthread_join(threads[0], &result);
    printf("%ld\n", (long)result);
    pthread_mutex_destroy(&mutex);

    pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&plain);
    struct timespec at = soon(5);
    int waited;
    while ((waited = pthread_cond_timedwait(&never, &plain, &at)) == 0) continue;
    pthread_mutex_unlock(&plain);
    printf("%d\n", waited == ETIMEDOUT);
    pthread_cond_destroy(&never);
    pthread_mutex_destroy(&plain);
    return 0;
}
