// The notifier sets the flag and signals without the lock, between the waiter's look and its wait.
// KIND: lost wake-up
// FAILS: lost wakeup
// WHEN: the waiter is preempted between its look at the flag and its wait, and the notifier runs
// PREEMPTIONS: 1
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_set = PTHREAD_COND_INITIALIZER;
static atomic_int flag;

static void *waiter(void *unused) {
    pthread_mutex_lock(&lock);
    while (!atomic_load(&flag)) pthread_cond_wait(&is_set, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *notifier(void *unused) {
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    atomic_store(&flag, 1);
    pthread_cond_signal(&is_set);
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

int main(void) {
    pthread_t threads[2];
    if (pthread_create(&threads[0], NULL, waiter, NULL)) return 2;
    if (pthread_create(&threads[1], NULL, notifier, NULL)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
