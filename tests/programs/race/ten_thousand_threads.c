// Ten thousand threads, one after the other; the last one meets what the first one left.
// NATIVE: miss the stack of the first thread's access is lost by then, and the race with it
// SEEDS: few ten thousand threads
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 10000 };

static volatile int left_behind;
static volatile int is_done;

static void *first(void *argument) {
    left_behind = 1; // PREVIOUS: write 4
    __atomic_store_n(&is_done, 1, __ATOMIC_RELAXED);
    return argument;
}

static void *passer(void *argument) { return argument; }

static void *last(void *argument) {
    left_behind = 2; // EXPECT: data race write 4
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, first, NULL)) return 1;
    pthread_detach(thread);
    while (!__atomic_load_n(&is_done, __ATOMIC_RELAXED)) {}
    for (int i = 0; i < THREADS - 2; i++) {
        if (pthread_create(&thread, NULL, passer, NULL)) return 1;
        pthread_join(thread, NULL);
    }
    if (pthread_create(&thread, NULL, last, NULL)) return 1;
    pthread_join(thread, NULL);
    printf("%d\n", left_behind);
    return 0;
}
