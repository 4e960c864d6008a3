// Every lock that takes a time to give up at orders what it guards.
// NATIVE: false-alarm sem_clockwait and the clock forms of reader-writer locks are not known there
// STDOUT: 10 10 10
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static int by_mutex, by_rwlock, by_semaphore;

static struct timespec later(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    time.tv_sec += 100;
    return time;
}

static int is_even_seen(const struct timespec *real, const struct timespec *mono) {
    pthread_rwlock_timedrdlock(&shared, real);
    int seen = by_rwlock;
    pthread_rwlock_unlock(&shared);
    pthread_rwlock_clockrdlock(&shared, CLOCK_MONOTONIC, mono);
    seen += by_rwlock;
    pthread_rwlock_unlock(&shared);
    return seen % 2 == 0;
}

static void *worker(void *unused) {
    for (int i = 0; i < 5; i++) {
        struct timespec real = later(CLOCK_REALTIME), mono = later(CLOCK_MONOTONIC);
        if (i % 2) pthread_mutex_timedlock(&mutex, &real);
        else pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &mono);
        by_mutex++;
        pthread_mutex_unlock(&mutex);
        is_even_seen(&real, &mono);
        if (i % 2) pthread_rwlock_timedwrlock(&shared, &real);
        else pthread_rwlock_clockwrlock(&shared, CLOCK_MONOTONIC, &mono);
        by_rwlock++;
        pthread_rwlock_unlock(&shared);
        if (i % 2) sem_timedwait(&semaphore, &real);
        else sem_clockwait(&semaphore, CLOCK_MONOTONIC, &mono);
        by_semaphore++;
        sem_post(&semaphore);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&semaphore, 0, 1);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%d %d %d\n", by_mutex, by_rwlock, by_semaphore);
    return 0;
}
