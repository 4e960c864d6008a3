// Main joins the worker while it holds the lock that the worker needs for its last lines.
// KIND: deadlock
// FAILS: deadlock
// WHEN: the worker is preempted behind its post, and main locks before the worker does
// PREEMPTIONS: 1
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t is_ready;
static int total;

static void *worker(void *unused) {
    sem_post(&is_ready);
    pthread_mutex_lock(&lock);
    total += 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&is_ready, 0, 0);
    if (pthread_create(&thread, NULL, worker, NULL)) return 2;
    sem_wait(&is_ready);
#ifdef FIXED
    pthread_join(thread, NULL);
    pthread_mutex_lock(&lock);
#else
    pthread_mutex_lock(&lock);
    pthread_join(thread, NULL);
#endif
    printf("total %d\n", total);
    pthread_mutex_unlock(&lock);
    sem_destroy(&is_ready);
    return 0;
}
