// A thread is cancelled while it holds the lock, which nobody gives back.
// KIND: deadlock
// FAILS: deadlock
// WHEN: the request comes before the thread is behind the cancellation point in its section
// PREEMPTIONS: 0
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int written;

#ifdef FIXED
static void unlock(void *held) {
    pthread_mutex_unlock(held);
}
#endif

static void *writer(void *unused) {
    pthread_mutex_lock(&lock);
#ifdef FIXED
    pthread_cleanup_push(unlock, &lock);
#endif
    written = 1;
    pthread_testcancel();
    written = 2;
#ifdef FIXED
    pthread_cleanup_pop(1);
#else
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, writer, NULL)) return 2;
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&lock);
    int seen = written;
    pthread_mutex_unlock(&lock);
    return seen == 3;
}
