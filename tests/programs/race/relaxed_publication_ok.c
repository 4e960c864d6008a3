// The twin of relaxed_publication: release store, acquire load.
// STDOUT: 42
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static volatile int payload;
static atomic_int ready;

static void *producer(void *argument) {
    payload = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, producer, NULL)) return 1;
    while (!atomic_load_explicit(&ready, memory_order_acquire)) sched_yield();
    int value = payload;
    pthread_join(thread, NULL);
    printf("%d\n", value);
    return 0;
}
