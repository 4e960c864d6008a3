// A condition variable is destroyed when nobody can use it: signalled under the mutex, or joined.
// STDOUT: done
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition;
static int is_done;

static void *signal_inside(void *unused) {
    pthread_mutex_lock(&mutex);
    is_done = 1;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *signal_outside(void *unused) {
    pthread_cond_signal(&condition);
    return unused;
}

int main(void) {
    pthread_t inside, outside;
    pthread_cond_init(&condition, NULL);
    pthread_create(&inside, NULL, signal_inside, NULL);
    pthread_mutex_lock(&mutex);
    while (!is_done) {
        pthread_cond_wait(&condition, &mutex);
    }
    pthread_mutex_unlock(&mutex);
    pthread_cond_destroy(&condition);
    pthread_join(inside, NULL);
    pthread_cond_init(&condition, NULL);
    pthread_create(&outside, NULL, signal_outside, NULL);
    pthread_join(outside, NULL);
    pthread_cond_destroy(&condition);
    puts("done");
    return 0;
}
