// Two counters of users share a mutex; the first user of each takes the resource, which the other
// side may hold, while it has the mutex.
// KIND: deadlock
// FAMILY: carter
// FAILS: deadlock
// WHEN: a thread that holds the resource is preempted outside of the mutex, and the other side comes
// PREEMPTIONS: 1
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#ifdef FIXED
static pthread_mutex_t other_mutex = PTHREAD_MUTEX_INITIALIZER;
#endif
static pthread_mutex_t resource = PTHREAD_MUTEX_INITIALIZER;
static int n_users[2];
static int numbers[2] = {0, 1};

static void *user(void *argument) {
    int side = *(int *)argument;
    pthread_mutex_t *counts = &mutex;
#ifdef FIXED
    if (side) counts = &other_mutex;
#endif
    pthread_mutex_lock(counts);
    if (++n_users[side] == 1) pthread_mutex_lock(&resource);
    pthread_mutex_unlock(counts);
    pthread_mutex_lock(counts);
    if (--n_users[side] == 0) pthread_mutex_unlock(&resource);
    pthread_mutex_unlock(counts);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, user, &numbers[i])) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
