// A driver's dispatch asks whether the driver is being stopped, then counts itself as pending: it
// may find the driver stopped in the middle of its work.
// KIND: atomicity violation of two variables
// FAMILY: bluetooth
// FAILS: assert
// WHEN: the dispatch is preempted between its look at the flag and its count, and the stop runs
// PREEMPTIONS: 1
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int n_pending = 1, is_stopping, may_stop, is_stopped;

static void leave(void) {
    if (atomic_fetch_sub(&n_pending, 1) == 1) atomic_store(&may_stop, 1);
}

static int enter(void) {
#ifdef FIXED
    atomic_fetch_add(&n_pending, 1);
    if (!atomic_load(&is_stopping)) return 1;
    leave();
    return 0;
#else
    if (atomic_load(&is_stopping)) return 0;
    atomic_fetch_add(&n_pending, 1);
    return 1;
#endif
}

static void *dispatch(void *unused) {
    if (!enter()) return unused;
    assert(!atomic_load(&is_stopped));
    leave();
    return unused;
}

static void *stop(void *unused) {
    atomic_store(&is_stopping, 1);
    leave();
    while (!atomic_load(&may_stop)) sched_yield();
    atomic_store(&is_stopped, 1);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    if (pthread_create(&threads[0], NULL, stop, NULL)) return 2;
    if (pthread_create(&threads[1], NULL, dispatch, NULL)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
