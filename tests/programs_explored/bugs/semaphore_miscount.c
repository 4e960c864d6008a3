// A thread that finds the semaphore taken gives back a permit that it never had.
// KIND: semaphore miscount
// FAILS: assert
// WHEN: a thread is preempted inside, another one fails and posts, and a third goes in
// PREEMPTIONS: 1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

enum { THREADS = 3 };

static sem_t permit;
static atomic_int inside;

static void *worker(void *unused) {
    int has_permit = sem_trywait(&permit) == 0;
    if (has_permit) {
        assert(atomic_fetch_add(&inside, 1) == 0);
        atomic_fetch_sub(&inside, 1);
    }
#ifdef FIXED
    if (has_permit) sem_post(&permit);
#else
    sem_post(&permit);
#endif
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    sem_init(&permit, 0, 1);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, worker, NULL)) return 2;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    sem_destroy(&permit);
    return 0;
}
