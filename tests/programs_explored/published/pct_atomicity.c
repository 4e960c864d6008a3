// A bug of depth 2: the pointer is cleared between the test and the use.
// KIND: atomicity violation
// FAMILY: pct
// DEPTH: 2
// FAILS: SEGV
// WHEN: the user is preempted between its two loads, and the other thread clears the pointer
// PREEMPTIONS: 1
#include <pthread.h>
#include <stdatomic.h>

static int storage;
static int *_Atomic shared = &storage;
static atomic_int steps;

static void *user(void *unused) {
    for (int i = 0; i < 4; i++) atomic_fetch_add(&steps, 1);
#ifdef FIXED
    int *seen = atomic_load(&shared);
    if (seen) *seen = 1;
#else
    if (atomic_load(&shared)) *atomic_load(&shared) = 1;
#endif
    return unused;
}

static void *clearer(void *unused) {
    for (int i = 0; i < 4; i++) atomic_fetch_add(&steps, 1);
    atomic_store(&shared, NULL);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    if (pthread_create(&threads[0], NULL, user, NULL)) return 2;
    if (pthread_create(&threads[1], NULL, clearer, NULL)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
