// A relaxed increment by a third thread keeps the release sequence alive.
// STDOUT: 42
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static volatile int payload;
static atomic_int stage;

static void *producer(void *argument) {
    payload = 42;
    atomic_store_explicit(&stage, 1, memory_order_release);
    return argument;
}

static void *relay(void *argument) {
    while (atomic_load_explicit(&stage, memory_order_relaxed) != 1) sched_yield();
    atomic_fetch_add_explicit(&stage, 1, memory_order_relaxed);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    if (pthread_create(&threads[0], NULL, producer, NULL)) return 1;
    if (pthread_create(&threads[1], NULL, relay, NULL)) return 1;
    while (atomic_load_explicit(&stage, memory_order_acquire) != 2) sched_yield();
    int value = payload;
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    printf("%d\n", value);
    return 0;
}
