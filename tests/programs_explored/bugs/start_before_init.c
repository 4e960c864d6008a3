// The worker looks at the configuration that main stores only after it has made the worker.
// KIND: ordering
// FAILS: SEGV
// WHEN: the worker begins between pthread_create and the store
// PREEMPTIONS: 1
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct config {
    int limit;
};

static struct config defaults = {3};
static struct config *_Atomic current;

static void *worker(void *unused) {
    printf("limit %d\n", atomic_load(&current)->limit);
    return unused;
}

int main(void) {
    pthread_t thread;
#ifdef FIXED
    atomic_store(&current, &defaults);
    if (pthread_create(&thread, NULL, worker, NULL)) return 2;
#else
    if (pthread_create(&thread, NULL, worker, NULL)) return 2;
    atomic_store(&current, &defaults);
#endif
    pthread_join(thread, NULL);
    return 0;
}
