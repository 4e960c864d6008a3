// A thread waits for a signal without asking whether it was given already.
// KIND: missed signal
// FAILS: lost wakeup
// WHEN: the worker signals before main waits
// PREEMPTIONS: 1
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_done = PTHREAD_COND_INITIALIZER;
static int answer;

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    answer = 42;
    pthread_cond_signal(&is_done);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL)) return 2;
    pthread_mutex_lock(&lock);
#ifdef FIXED
    while (!answer) pthread_cond_wait(&is_done, &lock);
#else
    pthread_cond_wait(&is_done, &lock);
#endif
    int seen = answer;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return seen != 42;
}
