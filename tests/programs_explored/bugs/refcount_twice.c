// A reference is given back by one operation, and whether it was the last is asked by another.
// KIND: double free by race
// FAILS: double-free|heap-use-after-free
// WHEN: a thread is preempted behind its decrement, and the other one decrements and frees
// PREEMPTIONS: 1
// RACES: free is not ordered after the other thread's load
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
    atomic_int references;
    atomic_int uses;
};

static void release(struct shared *shared) {
#ifdef FIXED
    if (atomic_fetch_sub(&shared->references, 1) == 1) free(shared);
#else
    atomic_fetch_sub(&shared->references, 1);
    if (atomic_load(&shared->references) == 0) free(shared);
#endif
}

static void *user(void *shared) {
    atomic_fetch_add(&((struct shared *)shared)->uses, 1);
    release(shared);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    struct shared *shared = calloc(1, sizeof *shared);
    atomic_store(&shared->references, 2);
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, user, shared)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
