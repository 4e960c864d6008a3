// The twin of fence_publication: release and acquire fences around relaxed accesses.
// NATIVE: false-alarm fences are not modelled there
// STDOUT: 42
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static volatile int payload;
static atomic_int ready;

static void *producer(void *argument) {
    payload = 42;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, producer, NULL)) return 1;
    while (!atomic_load_explicit(&ready, memory_order_relaxed)) sched_yield();
    atomic_thread_fence(memory_order_acquire);
    int value = payload;
    pthread_join(thread, NULL);
    printf("%d\n", value);
    return 0;
}
