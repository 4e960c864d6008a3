// The unprotected write comes before the critical section: whether the lock happens to order the
// two depends on who takes it first.
// SEEDS: some when main locks last, the worker's unlock orders its write before main's
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int shared, protected;

static void *worker(void *argument) {
    shared = 1; // PREVIOUS: write 4
    pthread_mutex_lock(&lock);
    protected += 1;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    pthread_mutex_lock(&lock);
    protected += 1;
    pthread_mutex_unlock(&lock);
    shared = 2; // EXPECT: data race write 4
    pthread_join(thread, NULL);
    printf("%d\n", protected);
    return 0;
}
