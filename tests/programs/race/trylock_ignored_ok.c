// The twin of trylock_ignored: trylock until it works, and timedlock with a generous deadline.
// STDOUT: 3
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int shared;

static void *worker(void *argument) {
    while (pthread_mutex_trylock(&lock)) sched_yield();
    shared += 1;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 3600;
    if (pthread_mutex_timedlock(&lock, &deadline)) return 1;
    shared += 2;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    printf("%d\n", shared);
    return 0;
}
