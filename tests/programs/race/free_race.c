// A block is freed by one thread while another one uses it. The relaxed flag makes the free come
// first in time, yet orders nothing.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int freed;

static void *release(void *argument) {
    free(argument); // FREED
    atomic_store_explicit(&freed, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    volatile int *block = malloc(sizeof *block); // ALLOCATED
    if (!block) return 1;
    *block = 1;
    pthread_t thread;
    if (pthread_create(&thread, NULL, release, (void *)block)) return 1;
    while (!atomic_load_explicit(&freed, memory_order_relaxed)) sched_yield();
    int value = *block; // EXPECT: heap-use-after-free|data race read 4
    pthread_join(thread, NULL);
    printf("%d\n", value);
    return 0;
}
