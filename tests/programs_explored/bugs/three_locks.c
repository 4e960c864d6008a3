// Three threads each hold one lock and want the next one's: a cycle that no two of them can close.
// KIND: deadlock
// FAILS: deadlock
// WHEN: two threads are preempted between their locks, and the third takes its first
// PREEMPTIONS: 2
#include <pthread.h>

enum { THREADS = 3 };

static pthread_mutex_t locks[THREADS] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};
static int numbers[THREADS] = {0, 1, 2};

static void *worker(void *argument) {
    int first = *(int *)argument;
    int second = (first + 1) % THREADS;
#ifdef FIXED
    if (second < first) {
        second = first;
        first = 0;
    }
#endif
    pthread_mutex_lock(&locks[first]);
    pthread_mutex_lock(&locks[second]);
    pthread_mutex_unlock(&locks[second]);
    pthread_mutex_unlock(&locks[first]);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, worker, &numbers[i])) return 2;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    return 0;
}
