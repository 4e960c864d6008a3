// The result of trylock is ignored: the write happens with or without the lock. Main holds the
// lock until the thread has tried, so the trylock fails under every schedule.
#include <pthread.h>
#include <stdatomic.h>
#include <sched.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int tried;
static volatile int shared;

static void *worker(void *argument) {
    int busy = pthread_mutex_trylock(&lock);
    shared = 1; // PREVIOUS: write 4
    atomic_store_explicit(&tried, 1, memory_order_relaxed);
    if (!busy) pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&lock);
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    while (!atomic_load_explicit(&tried, memory_order_relaxed)) sched_yield();
    shared = 2; // EXPECT: data race write 4
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    printf("%d\n", shared);
    return 0;
}
