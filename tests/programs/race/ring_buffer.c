// A single-producer ring buffer whose write index is published with a relaxed store.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static volatile int slots[4];
static atomic_uint written;

static void *producer(void *argument) {
    for (unsigned i = 0; i < 4; i++) {
        slots[i] = (int)i; // PREVIOUS: write 4
        atomic_store_explicit(&written, i + 1, memory_order_relaxed);
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    int sum = 0;
    if (pthread_create(&thread, NULL, producer, NULL)) return 1;
    for (unsigned i = 0; i < 4; i++) {
        while (atomic_load_explicit(&written, memory_order_acquire) <= i) sched_yield();
        sum += slots[i]; // EXPECT: data race read 4
    }
    pthread_join(thread, NULL);
    printf("%d\n", sum);
    return 0;
}
