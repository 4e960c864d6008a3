// The racing thread is long finished when main comes: finished is not joined.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static volatile int value;
static atomic_int finished;

static void *worker(void *argument) {
    value = 1; // PREVIOUS: write 4
    atomic_store_explicit(&finished, 1, memory_order_relaxed);
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL)) return 1; // THREAD-CREATED
    while (!atomic_load_explicit(&finished, memory_order_relaxed)) sched_yield();
    for (int i = 0; i < 20; i++) sched_yield();
    value = 2; // EXPECT: data race write 4
    pthread_join(thread, NULL);
    printf("%d\n", value);
    return 0;
}
