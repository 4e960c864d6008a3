// A spinlock whose unlock is relaxed: it excludes, and yet it orders nothing.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int lock;
static volatile int count;

static void *worker(void *argument) {
    int expected = 0;
    while (!atomic_compare_exchange_strong_explicit(
        &lock, &expected, 1, memory_order_acquire, memory_order_relaxed)) {
        expected = 0;
        sched_yield();
    }
    count += 1; // EXPECT: data race
    atomic_store_explicit(&lock, 0, memory_order_relaxed);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        if (pthread_create(&threads[i], NULL, worker, NULL)) return 1;
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%d\n", count);
    return 0;
}
