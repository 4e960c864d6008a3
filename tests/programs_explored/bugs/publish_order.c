// The producer of a lock-free ring moves the tail before it has written the slot.
// KIND: publish order
// FAILS: assert
// WHEN: the producer is preempted between its two stores, and the consumer takes the slot
// PREEMPTIONS: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SLOTS = 4, ITEMS = 3 };

static atomic_int slots[SLOTS];
static atomic_uint head, tail;

static void *producer(void *unused) {
    for (int item = 1; item <= ITEMS; item++) {
        unsigned place = atomic_load(&tail);
#ifdef FIXED
        atomic_store(&slots[place % SLOTS], item);
        atomic_store(&tail, place + 1);
#else
        atomic_store(&tail, place + 1);
        atomic_store(&slots[place % SLOTS], item);
#endif
    }
    return unused;
}

static void *consumer(void *unused) {
    for (int tries = 0; tries < ITEMS; tries++) {
        unsigned place = atomic_load(&head);
        if (place == atomic_load(&tail)) continue;
        assert(atomic_load(&slots[place % SLOTS]) == (int)place + 1);
        atomic_store(&head, place + 1);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    if (pthread_create(&threads[0], NULL, producer, NULL)) return 2;
    if (pthread_create(&threads[1], NULL, consumer, NULL)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
