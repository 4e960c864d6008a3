// A consumer that has been woken takes it for granted that the item is still there.
// KIND: condition without loop
// FAILS: assert
// WHEN: a consumer waits, the producer signals, and another consumer takes the item first
// PREEMPTIONS: 0
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_item = PTHREAD_COND_INITIALIZER;
static int n_items;

static void *producer(void *unused) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        n_items++;
        pthread_cond_signal(&has_item);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *consumer(void *unused) {
    pthread_mutex_lock(&lock);
#ifdef FIXED
    while (n_items == 0) pthread_cond_wait(&has_item, &lock);
#else
    if (n_items == 0) pthread_cond_wait(&has_item, &lock);
#endif
    assert(n_items > 0);
    n_items--;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        if (pthread_create(&threads[i], NULL, i < 2 ? consumer : producer, NULL)) return 2;
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return n_items;
}
