// A barrier counts its threads, and opens while the count is zero: a fast thread that is back at it
// closes it in front of one that has not left yet.
// KIND: barrier reuse
// FAILS: lost wakeup
// WHEN: the last thread at the barrier comes back to it before the one it has woken runs
// PREEMPTIONS: 0
#include <pthread.h>

enum { THREADS = 2, PHASES = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_open = PTHREAD_COND_INITIALIZER;
static int n_arrived, phase;

static void wait_for_all(void) {
    pthread_mutex_lock(&lock);
    int mine = phase;
    if (++n_arrived == THREADS) {
        n_arrived = 0;
        phase++;
        pthread_cond_broadcast(&is_open);
    } else {
#ifdef FIXED
        while (phase == mine) pthread_cond_wait(&is_open, &lock);
#else
        while (n_arrived != 0) pthread_cond_wait(&is_open, &lock);
#endif
    }
    (void)mine;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *unused) {
    for (int i = 0; i < PHASES; i++) wait_for_all();
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, worker, NULL)) return 2;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    return 0;
}
