// A function that is not checked calls one that is; its atomic operations order nothing here.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int excused, checked;
static atomic_int turns;

__attribute__((noinline)) static void add(void) {
    checked++; // EXPECT: data race
}

__attribute__((no_sanitize("thread"), noinline)) static void step(void) {
    excused++;
    atomic_fetch_add_explicit(&turns, 1, memory_order_relaxed);
    add();
}

static void *worker(void *unused) {
    step();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    step();
    pthread_join(thread, NULL);
    printf("%d\n", excused > 0);
    return 0;
}
