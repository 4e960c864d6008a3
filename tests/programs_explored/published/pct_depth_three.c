// A bug of depth 3: the reader's two loads must fall before the first and between both stores.
// KIND: atomicity violation
// FAMILY: pct
// DEPTH: 3
// FAILS: assert
// WHEN: the reader is preempted behind its first load, the writer behind its first store
// PREEMPTIONS: 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int shared, steps;

static void *reader(void *unused) {
    for (int i = 0; i < 2; i++) atomic_fetch_add(&steps, 1);
    int before = atomic_load(&shared);
    int after = atomic_load(&shared);
#ifdef FIXED
    assert(before <= after);
#else
    assert(!(before == 0 && after == 1));
#endif
    return unused;
}

static void *writer(void *unused) {
    for (int i = 0; i < 2; i++) atomic_fetch_add(&steps, 1);
    atomic_store(&shared, 1);
    atomic_store(&shared, 2);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    if (pthread_create(&threads[0], NULL, reader, NULL)) return 2;
    if (pthread_create(&threads[1], NULL, writer, NULL)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
