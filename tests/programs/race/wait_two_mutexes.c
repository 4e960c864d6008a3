// Two threads wait on one condition variable with two mutexes.
// NATIVE: miss there is no such check there
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *waiter(void *mutex) {
    pthread_mutex_lock(mutex);
    pthread_cond_wait(&condition, mutex); // EXPECT: wait on a condition variable with two mutexes
    pthread_mutex_unlock(mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, waiter, &mutexes[i]);
    }
    sleep(1);
    pthread_cond_broadcast(&condition);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    puts("done");
    return 0;
}
