// Each thread looks whether the other wants in before it says so itself.
// KIND: mutual exclusion by hand
// FAILS: assert
// WHEN: one is preempted between its look and its store; the other goes in and is preempted there
// PREEMPTIONS: 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], inside;
static int numbers[2] = {0, 1};

static void *worker(void *argument) {
    int me = *(int *)argument, other = 1 - me;
#ifdef FIXED
    atomic_store(&wants[me], 1);
    int is_free = !atomic_load(&wants[other]);
#else
    int is_free = !atomic_load(&wants[other]);
    atomic_store(&wants[me], 1);
#endif
    if (is_free) {
        assert(atomic_fetch_add(&inside, 1) == 0);
        atomic_fetch_sub(&inside, 1);
    }
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
