// Ten thousand threads, ten at a time, detached and joined; each hands a sum on under a lock.
// STDOUT: 49995000
// SEEDS: few ten thousand threads
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 10000, AT_ONCE = 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER;
static long sum;
static int n_running;

static void *worker(void *argument) {
    pthread_mutex_lock(&lock);
    sum += (long)argument;
    n_running--;
    pthread_cond_signal(&finished);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    for (long i = 0; i < THREADS; i++) {
        pthread_t thread;
        pthread_mutex_lock(&lock);
        while (n_running == AT_ONCE) pthread_cond_wait(&finished, &lock);
        n_running++;
        pthread_mutex_unlock(&lock);
        if (pthread_create(&thread, NULL, worker, (void *)i)) return 1;
        pthread_detach(thread);
    }
    pthread_mutex_lock(&lock);
    while (n_running) pthread_cond_wait(&finished, &lock);
    printf("%ld\n", sum);
    pthread_mutex_unlock(&lock);
    return 0;
}
