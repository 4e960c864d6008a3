// A job is let in if the pool is open, and put into the queue a little later: the workers may have
// left by then.
// KIND: thread pool shutdown
// FAILS: exit 1
// WHEN: the submitter is preempted between its look and its lock; the pool closes and its worker ends
// PREEMPTIONS: 1
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int n_queued, n_done, n_accepted;
static atomic_int is_closed;

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    while (n_queued || !atomic_load(&is_closed)) {
        if (n_queued) {
            n_queued--;
            n_done++;
        } else {
            pthread_cond_wait(&changed, &lock);
        }
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *submitter(void *unused) {
    for (int i = 0; i < 2; i++) {
#ifdef FIXED
        pthread_mutex_lock(&lock);
        int is_open = !atomic_load(&is_closed);
#else
        int is_open = !atomic_load(&is_closed);
        pthread_mutex_lock(&lock);
#endif
        if (is_open) {
            n_accepted++;
            n_queued++;
            pthread_cond_signal(&changed);
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void close_pool(void) {
    pthread_mutex_lock(&lock);
    atomic_store(&is_closed, 1);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

int main(void) {
    pthread_t threads[2];
    if (pthread_create(&threads[0], NULL, worker, NULL)) return 2;
    if (pthread_create(&threads[1], NULL, submitter, NULL)) return 2;
    close_pool();
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%d of %d done\n", n_done, n_accepted);
    return n_done != n_accepted;
}
