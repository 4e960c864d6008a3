// Each of two threads reads one table and then writes the other: both hold what the other wants.
// KIND: deadlock
// FAILS: deadlock
// WHEN: a thread is preempted between its locks, and the other one takes its read lock
// PREEMPTIONS: 1
#include <pthread.h>

static pthread_rwlock_t locks[2] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
static int tables[2] = {1, 2};
static int numbers[2] = {0, 1};

static void *copier(void *argument) {
    int from = *(int *)argument, to = 1 - from;
    pthread_rwlock_rdlock(&locks[from]);
    int value = tables[from];
#ifdef FIXED
    pthread_rwlock_unlock(&locks[from]);
#endif
    pthread_rwlock_wrlock(&locks[to]);
    tables[to] = value;
    pthread_rwlock_unlock(&locks[to]);
#ifndef FIXED
    pthread_rwlock_unlock(&locks[from]);
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, copier, &numbers[i])) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
