// A ring of four slots whose producer finds it full one item too late, and writes over what has not
// been read.
// KIND: bounded buffer
// FAMILY: circular buffer
// FAILS: assert
// WHEN: the producer is a whole ring ahead of the consumer
// PREEMPTIONS: 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SLOTS = 4, ITEMS = 6 };

static atomic_int slots[SLOTS];
static atomic_uint n_written, n_read;

static int is_full(unsigned written, unsigned read) {
#ifdef FIXED
    return written - read == SLOTS;
#else
    return written - read > SLOTS;
#endif
}

static void *producer(void *unused) {
    for (int item = 1; item <= ITEMS; item++) {
        unsigned place = atomic_load(&n_written);
        if (is_full(place, atomic_load(&n_read))) break;
        atomic_store(&slots[place % SLOTS], item);
        atomic_store(&n_written, place + 1);
    }
    return unused;
}

static void *consumer(void *unused) {
    for (int tries = 0; tries < ITEMS; tries++) {
        unsigned place = atomic_load(&n_read);
        if (place == atomic_load(&n_written)) continue;
        assert(atomic_load(&slots[place % SLOTS]) == (int)place + 1);
        atomic_store(&n_read, place + 1);
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
