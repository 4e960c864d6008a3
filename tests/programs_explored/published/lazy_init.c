// Two threads add to a value under its lock; the third holds that at most one has come before it.
// KIND: ordering
// FAMILY: lazy
// FAILS: assert
// WHEN: both writers run before the third thread
// PREEMPTIONS: 0
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *add(void *argument) {
    pthread_mutex_lock(&lock);
    value += *(int *)argument;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *check(void *unused) {
    pthread_mutex_lock(&lock);
#ifdef FIXED
    assert(value <= 3);
#else
    assert(value < 3);
#endif
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    int added[2] = {1, 2};
    for (int i = 0; i < 3; i++)
        if (pthread_create(&threads[i], NULL, i < 2 ? add : check, &added[i % 2])) return 2;
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
