// A user looks whether the pointer is set, then follows it; another thread sets it to null between.
// KIND: atomicity violation
// FAILS: SEGV
// WHEN: the user is preempted between its two plain loads, and the owner clears the pointer
// PREEMPTIONS: 1
// RACES: the pointer is neither locked nor atomic
#include <pthread.h>
#include <stdio.h>

static int storage = 5;
static int *volatile shared = &storage;
#ifdef FIXED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#endif

static void *user(void *unused) {
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    if (shared) printf("%d\n", *shared);
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

static void *owner(void *unused) {
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    shared = NULL;
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

int main(void) {
    pthread_t threads[2];
    if (pthread_create(&threads[0], NULL, user, NULL)) return 2;
    if (pthread_create(&threads[1], NULL, owner, NULL)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
