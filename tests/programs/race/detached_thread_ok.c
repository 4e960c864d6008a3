// A detached thread is never joined; a release flag orders its work instead.
// STDOUT: 1
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static int value;
static atomic_int finished;

static void *worker(void *argument) {
    value = 1;
    atomic_store_explicit(&finished, 1, memory_order_release);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &attributes, worker, NULL)) return 1;
    pthread_attr_destroy(&attributes);
    while (!atomic_load_explicit(&finished, memory_order_acquire)) sched_yield();
    printf("%d\n", value);
    return 0;
}
