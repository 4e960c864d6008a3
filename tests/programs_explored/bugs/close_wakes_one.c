// A queue that is closed signals one receiver where it should wake all of them.
// KIND: missed signal
// FAILS: lost wakeup
// WHEN: both receivers wait when the queue is closed
// PREEMPTIONS: 0
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int n_messages, is_closed;

static void *receiver(void *unused) {
    pthread_mutex_lock(&lock);
    while (!is_closed || n_messages) {
        if (n_messages) n_messages--;
        else pthread_cond_wait(&changed, &lock);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, receiver, NULL)) return 2;
    pthread_mutex_lock(&lock);
    n_messages++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    is_closed = 1;
#ifdef FIXED
    pthread_cond_broadcast(&changed);
#else
    pthread_cond_signal(&changed);
#endif
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
