// What a lock's code does inside makes no order: two locks count their uses in one atomic counter.
#include "own_lock.h"
#include <pthread.h>
#include <stdio.h>
static OwnLock a, b;
static volatile int data;
static int ready;

static void *reader(void *unused) {
    while (!__atomic_load_n(&ready, __ATOMIC_RELAXED)) sched_yield();
    own_lock(&b);
    own_unlock(&b);
    printf("%d\n", data); // EXPECT: data race read 4
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    own_lock(&a);
    data = 1; // PREVIOUS: write 4
    own_unlock(&a);
    __atomic_store_n(&ready, 1, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    return 0;
}
