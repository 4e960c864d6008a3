// The address of a thread-local variable is handed out: then it is shared like any other.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static _Thread_local volatile int local;
static volatile int *_Atomic exported;

static void *worker(void *argument) {
    volatile int *other = atomic_load_explicit(&exported, memory_order_acquire);
    local = 5;
    *other = 1; // PREVIOUS: write 4
    return argument;
}

int main(void) {
    pthread_t thread;
    atomic_store_explicit(&exported, &local, memory_order_release);
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    local = 2; // EXPECT: data race write 4
    pthread_join(thread, NULL);
    printf("%d\n", local > 0);
    return 0;
}
