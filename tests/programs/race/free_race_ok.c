// The twin of free_race: main reads first, then raises a release flag; the thread frees.
// STDOUT: 1
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int finished;

static void *release(void *argument) {
    while (!atomic_load_explicit(&finished, memory_order_acquire)) sched_yield();
    free(argument);
    return NULL;
}

int main(void) {
    volatile int *block = malloc(sizeof *block);
    if (!block) return 1;
    *block = 1;
    pthread_t thread;
    if (pthread_create(&thread, NULL, release, (void *)block)) return 1;
    int value = *block;
    atomic_store_explicit(&finished, 1, memory_order_release);
    pthread_join(thread, NULL);
    printf("%d\n", value);
    return 0;
}
