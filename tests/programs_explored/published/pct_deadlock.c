// A bug of depth 2: two locks in opposite orders, between steps that do not matter.
// KIND: deadlock
// FAMILY: pct
// DEPTH: 2
// FAILS: deadlock
// WHEN: a thread is preempted between its two locks, and the other one takes its first
// PREEMPTIONS: 1
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static atomic_int steps;
static int numbers[2] = {0, 1};

static void *worker(void *argument) {
    int first = *(int *)argument;
#ifdef FIXED
    first = 0;
#endif
    for (int i = 0; i < 3; i++) atomic_fetch_add(&steps, 1);
    pthread_mutex_lock(&locks[first]);
    pthread_mutex_lock(&locks[1 - first]);
    pthread_mutex_unlock(&locks[1 - first]);
    pthread_mutex_unlock(&locks[first]);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, worker, &numbers[i])) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
