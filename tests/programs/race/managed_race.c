// Two threads write one object of a managed heap; the status comes from the end of the heap.
// EXIT: 66
#include "managed_heap.h"
#include <pthread.h>
#include <stdio.h>

static void *worker(void *object) {
    *(volatile int *)object = 1; // PREVIOUS: write 4
    return NULL;
}

int main(void) {
    pthread_t thread;
    __tsan_java_init((Place)heap, HEAP_BYTES);
    __tsan_java_alloc((Place)heap + 64, 32); // ALLOCATED
    pthread_create(&thread, NULL, worker, heap + 64);
    *(volatile int *)(heap + 64) = 2; // EXPECT: data race write 4
    pthread_join(thread, NULL);
    __tsan_java_free((Place)heap + 64, 32);
    puts("done");
    return __tsan_java_fini();
}
