// A lock was not got in time, and what it guards is changed all the same.
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int guarded;

static void *worker(void *unused) {
    struct timespec past = {1, 0};
    if (pthread_mutex_timedlock(&mutex, &past)) {
        guarded = 1; // EXPECT: data race write 4
        return unused;
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, worker, NULL);
    struct timespec pause = {0, 50 * 1000 * 1000};
    guarded = 2; // PREVIOUS: write 4
    nanosleep(&pause, NULL);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
