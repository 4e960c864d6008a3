// A release fence on one side only: without an acquire fence the reader is not ordered.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static volatile int payload;
static atomic_int ready;

static void *producer(void *argument) {
    payload = 42; // PREVIOUS: write 4
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, producer, NULL)) return 1;
    while (!atomic_load_explicit(&ready, memory_order_relaxed)) sched_yield();
    int value = payload; // EXPECT: data race read 4
    pthread_join(thread, NULL);
    printf("%d\n", value);
    return 0;
}
