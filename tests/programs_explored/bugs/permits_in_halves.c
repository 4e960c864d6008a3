// Two threads need two of two permits, and take them one by one.
// KIND: deadlock
// FAILS: deadlock|lost wakeup
// WHEN: a thread is preempted between its two waits, and the other one takes a permit
// PREEMPTIONS: 1
#include <pthread.h>
#include <semaphore.h>

static sem_t permits;
static pthread_mutex_t both = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
#ifdef FIXED
    pthread_mutex_lock(&both);
#endif
    sem_wait(&permits);
    sem_wait(&permits);
#ifdef FIXED
    pthread_mutex_unlock(&both);
#endif
    sem_post(&permits);
    sem_post(&permits);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&permits, 0, 2);
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, worker, NULL)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    sem_destroy(&permits);
    pthread_mutex_destroy(&both);
    return 0;
}
