// A sequence counter tells readers that a pair is being written, but the reader looks at it only
// before it reads.
// KIND: atomicity violation of two variables
// FAILS: output
// STDOUT: equal
// WHEN: the reader is preempted between its two loads, and the writer writes both
// PREEMPTIONS: 1
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int sequence, low, high;

static void *writer(void *unused) {
    for (int value = 1; value <= 2; value++) {
        atomic_fetch_add(&sequence, 1);
        atomic_store(&low, value);
        atomic_store(&high, value);
        atomic_fetch_add(&sequence, 1);
    }
    return unused;
}

static void *reader(void *unused) {
    for (int tries = 0; tries < 4; tries++) {
        int before = atomic_load(&sequence);
        int first = atomic_load(&low);
        int second = atomic_load(&high);
        if (before % 2) continue;
#ifdef FIXED
        if (atomic_load(&sequence) != before) continue;
#endif
        puts(first == second ? "equal" : "torn");
        return unused;
    }
    puts("equal");
    return unused;
}

int main(void) {
    pthread_t threads[2];
    if (pthread_create(&threads[0], NULL, writer, NULL)) return 2;
    if (pthread_create(&threads[1], NULL, reader, NULL)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
