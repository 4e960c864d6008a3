// A consumer waits for an item with the inner lock, and keeps the outer one, which the producer
// needs to get in.
// KIND: deadlock
// FAILS: deadlock|lost wakeup
// WHEN: the consumer takes both locks before the producer has put the item in
// PREEMPTIONS: 0
#include <pthread.h>

static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_item = PTHREAD_COND_INITIALIZER;
static int n_items;

static void *producer(void *unused) {
    pthread_mutex_lock(&registry);
    pthread_mutex_lock(&queue);
    n_items++;
    pthread_cond_signal(&has_item);
    pthread_mutex_unlock(&queue);
    pthread_mutex_unlock(&registry);
    return unused;
}

static void *consumer(void *unused) {
    pthread_mutex_lock(&registry);
#ifdef FIXED
    pthread_mutex_unlock(&registry);
#endif
    pthread_mutex_lock(&queue);
    while (n_items == 0) pthread_cond_wait(&has_item, &queue);
    n_items--;
    pthread_mutex_unlock(&queue);
#ifndef FIXED
    pthread_mutex_unlock(&registry);
#endif
    return unused;
}

int main(void) {
    pthread_t threads[2];
    if (pthread_create(&threads[0], NULL, producer, NULL)) return 2;
    if (pthread_create(&threads[1], NULL, consumer, NULL)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return n_items;
}
