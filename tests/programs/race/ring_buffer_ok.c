// The twin of ring_buffer: both indices are published with release; slots are used again.
// STDOUT: 190
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

enum { SLOTS = 4, ITEMS = 20 };

static int slots[SLOTS];
static atomic_uint written, taken;

static void *producer(void *argument) {
    for (unsigned i = 0; i < ITEMS; i++) {
        while (i - atomic_load_explicit(&taken, memory_order_acquire) >= SLOTS) sched_yield();
        slots[i % SLOTS] = (int)i;
        atomic_store_explicit(&written, i + 1, memory_order_release);
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    int sum = 0;
    if (pthread_create(&thread, NULL, producer, NULL)) return 1;
    for (unsigned i = 0; i < ITEMS; i++) {
        while (atomic_load_explicit(&written, memory_order_acquire) <= i) sched_yield();
        sum += slots[i % SLOTS];
        atomic_store_explicit(&taken, i + 1, memory_order_release);
    }
    pthread_join(thread, NULL);
    printf("%d\n", sum);
    return 0;
}
