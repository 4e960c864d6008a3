// The key of a cache line and its value have a lock each: two writers leave one's key with the
// other's value.
// KIND: atomicity violation of two variables
// FAILS: assert
// WHEN: a writer is preempted between its two locks, and the other one writes both
// PREEMPTIONS: 1
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t key_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t value_lock = PTHREAD_MUTEX_INITIALIZER;
static int key, value;

static void *writer(void *argument) {
    int number = *(int *)argument;
    pthread_mutex_lock(&key_lock);
    key = number;
#ifndef FIXED
    pthread_mutex_unlock(&key_lock);
#endif
    pthread_mutex_lock(&value_lock);
    value = number * 100;
    pthread_mutex_unlock(&value_lock);
#ifdef FIXED
    pthread_mutex_unlock(&key_lock);
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {1, 2};
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, writer, &numbers[i])) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(value == key * 100);
    return 0;
}
