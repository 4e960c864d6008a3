// The tickets of a lock are one bit wide: the third thread has the ticket of the first again.
// KIND: ticket lock wrap
// FAILS: assert
// WHEN: the first is preempted inside, the second takes its ticket and waits, the third goes in
// PREEMPTIONS: 1
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 3 };

#ifdef FIXED
enum { TICKETS = 256 };
#else
enum { TICKETS = 2 };
#endif

static atomic_uint next, served;
static atomic_int inside;

static void *worker(void *unused) {
    unsigned mine = atomic_fetch_add(&next, 1) % TICKETS;
    while (atomic_load(&served) % TICKETS != mine) sched_yield();
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    atomic_fetch_add(&served, 1);
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, worker, NULL)) return 2;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    return 0;
}
