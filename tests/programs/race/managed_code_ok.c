// Managed code that takes its turns by monitors; nobody asks for the names of its places.
// STDOUT: 20
#include "managed_heap.h"
#include <pthread.h>
#include <stdio.h>
#define CODE(n) (1ul << 60 | (n))
void __tsan_func_entry(Place), __tsan_func_exit(void), __tsan_write4_pc(Place, Place);
void __tsan_read4_pc(Place, Place);
static int n_asked;

__attribute__((disable_sanitizer_instrumentation)) _Bool __tsan_symbolize_external(
    Place pc, char *function, Place n, char *file, Place m, int *line, int *column) {
    n_asked++;
    return 0;
}

static void *worker(void *object) {
    for (int i = 0; i < 10; i++) {
        __tsan_func_entry(CODE(i));
        __tsan_java_mutex_lock((Place)object);
        __tsan_read4_pc((Place)object, CODE(100));
        __tsan_write4_pc((Place)object, CODE(101));
        *(int *)object += 1;
        __tsan_java_mutex_unlock((Place)object);
        __tsan_func_exit();
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    __tsan_java_init((Place)heap, HEAP_BYTES);
    __tsan_java_alloc((Place)heap + 64, 32);
    pthread_create(&thread, NULL, worker, heap + 64);
    worker(heap + 64);
    pthread_join(thread, NULL);
    printf("%d\n", *(int *)(heap + 64) + n_asked);
    __tsan_java_free((Place)heap + 64, 32);
    return __tsan_java_fini();
}
