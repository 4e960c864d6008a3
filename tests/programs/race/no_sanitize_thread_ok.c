// Functions without race checks race as they like; atomics in them order what others do.
// STDOUT: 7
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int excused, handed;
static atomic_int is_ready;

__attribute__((no_sanitize("thread"), noinline)) static void step(void) { excused++; }

__attribute__((disable_sanitizer_instrumentation, noinline)) static void hidden(void) {
    excused++;
}

__attribute__((no_sanitize("thread"), noinline)) static void publish(void) {
    atomic_store_explicit(&is_ready, 1, memory_order_release);
}

__attribute__((no_sanitize_thread, noinline)) static int is_published(void) {
    return atomic_load_explicit(&is_ready, memory_order_acquire);
}

static void *worker(void *unused) {
    step();
    hidden();
    handed = 7;
    publish();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    step();
    hidden();
    while (!is_published()) {
    }
    printf("%d\n", handed);
    pthread_join(thread, NULL);
    return 0;
}
