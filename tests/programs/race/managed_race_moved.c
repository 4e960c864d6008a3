// An object is moved between two writes that nothing orders: its history moves along.
// NATIVE: miss the history of a moved object is forgotten there
#include "managed_heap.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static int is_written, is_moved;

static void *worker(void *unused) {
    *(volatile int *)(heap + 64) = 1; // PREVIOUS: write 4
    __atomic_store_n(&is_written, 1, __ATOMIC_RELAXED);
    while (!__atomic_load_n(&is_moved, __ATOMIC_RELAXED)) {}
    return unused;
}

int main(void) {
    pthread_t thread;
    __tsan_java_init((Place)heap, HEAP_BYTES);
    __tsan_java_alloc((Place)heap + 64, 32);
    pthread_create(&thread, NULL, worker, NULL);
    while (!__atomic_load_n(&is_written, __ATOMIC_RELAXED)) {}
    __tsan_java_move((Place)heap + 64, (Place)heap + 80, 32);
    *(volatile int *)(heap + 80) = 2; // EXPECT: data race write 4
    __atomic_store_n(&is_moved, 1, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
