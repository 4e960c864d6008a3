// One condition variable is used with two mutexes, one after the other.
// STDOUT: done
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *waiter(void *mutex) {
    pthread_mutex_lock(mutex);
    pthread_cond_wait(&condition, mutex);
    pthread_mutex_unlock(mutex);
    return NULL;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t threads[2];
        pthread_create(&threads[0], NULL, waiter, &mutexes[i]);
        pthread_create(&threads[1], NULL, waiter, &mutexes[i]);
        sleep(1);
        pthread_cond_broadcast(&condition);
        pthread_join(threads[0], NULL);
        pthread_join(threads[1], NULL);
    }
    puts("done");
    return 0;
}
