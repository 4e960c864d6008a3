// Peterson's lock, but a thread gives the turn away before it says that it wants in.
// KIND: mutual exclusion by hand
// FAILS: assert
// WHEN: one is preempted between the stores; the other goes in and is preempted there; the first
// WHEN: says that it wants in, finds that it is its turn, and goes in too
// PREEMPTIONS: 2
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int wants[2], turn, inside;
static int numbers[2] = {0, 1};

static void *worker(void *argument) {
    int me = *(int *)argument, other = 1 - me;
#ifdef FIXED
    atomic_store(&wants[me], 1);
    atomic_store(&turn, other);
#else
    atomic_store(&turn, other);
    atomic_store(&wants[me], 1);
#endif
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other) sched_yield();
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, worker, &numbers[i])) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
