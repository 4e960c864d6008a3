// A buffer of one item has one condition for both sides: a signal that is meant for the other side
// wakes a thread that has nothing to do.
// KIND: lost wake-up
// FAILS: lost wakeup
// WHEN: both consumers wait, and the first's signal wakes the second instead of a waiting producer
// PREEMPTIONS: 0
#include <pthread.h>

enum { PAIRS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int n_items;

static void tell(void) {
#ifdef FIXED
    pthread_cond_broadcast(&changed);
#else
    pthread_cond_signal(&changed);
#endif
}

static void *producer(void *unused) {
    pthread_mutex_lock(&lock);
    while (n_items == 1) pthread_cond_wait(&changed, &lock);
    n_items++;
    tell();
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *consumer(void *unused) {
    pthread_mutex_lock(&lock);
    while (n_items == 0) pthread_cond_wait(&changed, &lock);
    n_items--;
    tell();
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[2 * PAIRS];
    for (int i = 0; i < 2 * PAIRS; i++)
        if (pthread_create(&threads[i], NULL, i < PAIRS ? consumer : producer, NULL)) return 2;
    for (int i = 0; i < 2 * PAIRS; i++) pthread_join(threads[i], NULL);
    return n_items;
}
