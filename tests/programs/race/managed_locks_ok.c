// Monitors: recursive, for readers, moved with their object while nobody holds them.
// STDOUT: 10 64 1
#include "managed_heap.h"
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
static Place object;

static void enter(void) {
    pthread_mutex_lock(&inner);
    __tsan_java_mutex_lock_rec(object, 2);
}

static void leave(void) {
    if (__tsan_java_mutex_unlock_rec(object) != 2) puts("wrong");
    pthread_mutex_unlock(&inner);
}

static void *worker(void *unused) {
    for (int i = 0; i < 5; i++) {
        enter();
        *(int *)object += 1;
        leave();
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    object = (Place)heap + 128;
    __tsan_java_init((Place)heap, HEAP_BYTES);
    __tsan_java_alloc(object, 64);
    *(int *)object = 0;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    enter();
    __tsan_java_move(object, object - 32, 64);
    object -= 32;
    *(int *)object = *(int *)(object + 32);
    leave();
    pthread_join(thread, NULL);
    Place found = (Place)heap;
    Place n_bytes = __tsan_java_find(&found, (Place)heap + HEAP_BYTES);
    printf("%d %lu %d\n", *(int *)object, n_bytes, found == object);
    __tsan_java_free(object, 64);
    return __tsan_java_fini();
}
