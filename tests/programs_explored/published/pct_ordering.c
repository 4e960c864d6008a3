// A bug of depth 1: the user is made first, and works on what the maker makes.
// KIND: ordering
// FAMILY: pct
// DEPTH: 1
// FAILS: exit 1
// WHEN: the user runs before the maker
// PREEMPTIONS: 0
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int made, n_early;
static sem_t is_made;

static void *maker(void *unused) {
    atomic_store(&made, 1);
    sem_post(&is_made);
    return unused;
}

static void *user(void *unused) {
#ifdef FIXED
    sem_wait(&is_made);
#endif
    if (!atomic_load(&made)) atomic_fetch_add(&n_early, 1);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&is_made, 0, 0);
    if (pthread_create(&threads[0], NULL, maker, NULL)) return 2;
    if (pthread_create(&threads[1], NULL, user, NULL)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    sem_destroy(&is_made);
    return atomic_load(&n_early);
}
