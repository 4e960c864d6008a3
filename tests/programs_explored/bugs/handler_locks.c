// A signal handler takes a lock that the interrupted thread may be holding.
// KIND: signal handler against thread
// FAILS: deadlock
// WHEN: the signal comes while main is between its lock and its unlock
// PREEMPTIONS: 1
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t main_thread;
static atomic_int n_entries, n_flushes;

static void flush(int number) {
    (void)number;
#ifndef FIXED
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
#endif
    atomic_fetch_add(&n_flushes, 1);
}

static void *sender(void *unused) {
    pthread_kill(main_thread, SIGUSR1);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct sigaction action = {.sa_handler = flush};
    main_thread = pthread_self();
    sigaction(SIGUSR1, &action, NULL);
    if (pthread_create(&thread, NULL, sender, NULL)) return 2;
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        atomic_fetch_add(&n_entries, 1);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(thread, NULL);
    return atomic_load(&n_flushes) != 1;
}
