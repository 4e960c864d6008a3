// One thread guards the counter by its lock, N others by another one.
// KIND: atomicity violation
// FAMILY: wronglock
// DEFINES: N=3 N=7
// FAILS: assert
// WHEN: the first thread is preempted between its load and its check, and another one counts
// PREEMPTIONS: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t right_lock = PTHREAD_MUTEX_INITIALIZER;
#ifndef FIXED
static pthread_mutex_t wrong_lock = PTHREAD_MUTEX_INITIALIZER;
#endif
static atomic_int data;

static void *owner(void *unused) {
    pthread_mutex_lock(&right_lock);
    int seen = atomic_load(&data);
    atomic_fetch_add(&data, 1);
    assert(atomic_load(&data) == seen + 1);
    pthread_mutex_unlock(&right_lock);
    return unused;
}

static void *other(void *unused) {
#ifdef FIXED
    pthread_mutex_t *lock = &right_lock;
#else
    pthread_mutex_t *lock = &wrong_lock;
#endif
    pthread_mutex_lock(lock);
    atomic_fetch_add(&data, 1);
    pthread_mutex_unlock(lock);
    return unused;
}

int main(void) {
    pthread_t threads[N + 1];
    for (int i = 0; i <= N; i++)
        if (pthread_create(&threads[i], NULL, i ? other : owner, NULL)) return 2;
    for (int i = 0; i <= N; i++) pthread_join(threads[i], NULL);
    return 0;
}
