// A relaxed STORE by a third thread breaks the release sequence: nothing orders the read.
// SEEDS: some when main sees the producer's 1 on its way, that load orders the two
// NATIVE: miss a relaxed store leaves the clock of the atomic untouched there
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static volatile int payload;
static atomic_int stage;

static void *producer(void *argument) {
    payload = 42; // PREVIOUS: write 4
    atomic_store_explicit(&stage, 1, memory_order_release);
    return argument;
}

static void *relay(void *argument) {
    while (atomic_load_explicit(&stage, memory_order_relaxed) != 1) sched_yield();
    atomic_store_explicit(&stage, 2, memory_order_relaxed);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    if (pthread_create(&threads[0], NULL, producer, NULL)) return 1;
    if (pthread_create(&threads[1], NULL, relay, NULL)) return 1;
    while (atomic_load_explicit(&stage, memory_order_acquire) != 2) sched_yield();
    int value = payload; // EXPECT: data race read 4
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    printf("%d\n", value);
    return 0;
}
