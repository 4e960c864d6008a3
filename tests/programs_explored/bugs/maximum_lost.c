// A thread that has a larger value than the maximum stores it, over one that is larger still.
// KIND: atomicity violation
// FAILS: output
// STDOUT: maximum 9
// WHEN: a thread is preempted between its comparison and its store, and the one with 9 stores
// PREEMPTIONS: 1
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 3 };

static atomic_int maximum;
static int values[THREADS] = {4, 9, 6};

static void *worker(void *argument) {
    int value = *(int *)argument;
    int seen = atomic_load(&maximum);
#ifdef FIXED
    while (value > seen && !atomic_compare_exchange_weak(&maximum, &seen, value)) continue;
#else
    if (value > seen) atomic_store(&maximum, value);
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, worker, &values[i])) return 2;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    printf("maximum %d\n", atomic_load(&maximum));
    return 0;
}
