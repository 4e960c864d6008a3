// A monitor of the program's own is given up entirely by who waits, and got back as deep.
// STDOUT: done
#include "own_lock.h"
#include <pthread.h>
#include <stdio.h>
static OwnLock lock;
static int is_done;

static int give_up(void) {
    int n_levels = __tsan_mutex_pre_unlock(&lock, RECURSIVE_UNLOCK);
    __atomic_store_n(&lock.is_taken, 0, __ATOMIC_SEQ_CST);
    __tsan_mutex_post_unlock(&lock, 0);
    return n_levels;
}

static void get_back(int n_levels) {
    __tsan_mutex_pre_lock(&lock, RECURSIVE_LOCK);
    while (__atomic_exchange_n(&lock.is_taken, 1, __ATOMIC_SEQ_CST)) sched_yield();
    __tsan_mutex_post_lock(&lock, RECURSIVE_LOCK, n_levels);
}

static void *setter(void *unused) {
    own_lock(&lock);
    is_done = 1;
    own_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    __tsan_mutex_create(&lock, WRITE_REENTRANT);
    pthread_create(&thread, NULL, setter, NULL);
    get_back(3);
    while (!is_done) {
        int n_levels = give_up();
        if (n_levels != 3) printf("gave up %d\n", n_levels);
        sched_yield();
        get_back(n_levels);
    }
    for (int i = 0; i < 3; i++)
        __tsan_mutex_pre_unlock(&lock, 0), __tsan_mutex_post_unlock(&lock, 0);
    pthread_join(thread, NULL);
    __tsan_mutex_destroy(&lock, 0);
    puts("done");
    return 0;
}
