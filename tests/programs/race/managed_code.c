// Managed code has places that only the program can name: its functions are on the stacks.
// EXIT: 66
#include "managed_heap.h"
#include <pthread.h>
#include <stdio.h>
#define CODE(n) (1ul << 60 | (n))
void __tsan_func_entry(Place), __tsan_func_exit(void), __tsan_write4_pc(Place, Place);

__attribute__((disable_sanitizer_instrumentation)) void __tsan_symbolize_external_ex(
    Place pc, void (*add_frame)(void *, const char *, const char *, int, int), void *told) {
    if (pc == CODE(1)) add_frame(told, "set", "managed_code.c", 26, 5); // inlined into update
    if (pc == CODE(1)) add_frame(told, "update", "managed_code.c", 27, 9);
    if (pc == CODE(2)) add_frame(told, "create", "managed_code.c", 28, 3);
    if (pc == CODE(3)) add_frame(told, "run", "managed_code.c", 29, 1);
}

static void interpret(Place object) {
    __tsan_func_entry(CODE(3));
    __tsan_write4_pc(object, CODE(1));
    __tsan_func_exit();
}
static void *worker(void *object) {
    interpret((Place)object);
    return NULL;
}
// set(): // EXPECT: data race write 4
// update()
// create(): // ALLOCATED
// run()
int main(void) {
    pthread_t thread;
    __tsan_java_init((Place)heap, HEAP_BYTES);
    __tsan_func_entry(CODE(2));
    __tsan_java_alloc((Place)heap + 64, 32);
    __tsan_func_exit();
    pthread_create(&thread, NULL, worker, heap + 64);
    interpret((Place)heap + 64);
    pthread_join(thread, NULL);
    __tsan_java_free((Place)heap + 64, 32);
    return __tsan_java_fini();
}
// NATIVE: skip its summary names places of managed code in a form of its own
