// A finalizer runs when no reference is left: everything has happened before it.
// STDOUT: done
#include "managed_heap.h"
#include <pthread.h>
#include <stdio.h>
static int is_dead;

static void *user(void *object) {
    *(volatile int *)object = 1;
    __atomic_store_n(&is_dead, 1, __ATOMIC_RELAXED);
    return NULL;
}

int main(void) {
    pthread_t thread;
    __tsan_java_init((Place)heap, HEAP_BYTES);
    __tsan_java_alloc((Place)heap, 16);
    pthread_create(&thread, NULL, user, heap);
    while (!__atomic_load_n(&is_dead, __ATOMIC_RELAXED)) {}
    __tsan_java_finalize();
    *(volatile int *)heap = 2;
    pthread_join(thread, NULL);
    puts("done");
    return __tsan_java_fini();
}
