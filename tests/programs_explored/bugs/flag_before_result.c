// The writer says that the result is there, then stores it.
// KIND: ordering
// FAILS: assert
// WHEN: the reader runs between the two stores of the writer
// PREEMPTIONS: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done, result;

static void *writer(void *unused) {
    for (int round = 1; round <= 3; round++) {
#ifdef FIXED
        atomic_store(&result, round * 10);
        atomic_store(&done, round);
#else
        atomic_store(&done, round);
        atomic_store(&result, round * 10);
#endif
    }
    return unused;
}

static void *reader(void *unused) {
    int rounds = atomic_load(&done);
    assert(atomic_load(&result) >= rounds * 10);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    if (pthread_create(&threads[0], NULL, writer, NULL)) return 2;
    if (pthread_create(&threads[1], NULL, reader, NULL)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
