// An increment of two atomic operations: what another thread adds between them is lost.
// KIND: atomicity violation
// FAILS: assert
// WHEN: a thread is preempted between its load and its store, and another one increments
// PREEMPTIONS: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 2, ROUNDS = 2 };

static atomic_int count;

static void *worker(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
#ifdef FIXED
        atomic_fetch_add(&count, 1);
#else
        int seen = atomic_load(&count);
        atomic_store(&count, seen + 1);
#endif
    }
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, worker, NULL)) return 2;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    assert(atomic_load(&count) == THREADS * ROUNDS);
    return 0;
}
