// Two locks of the program's own, always in one order, and a try lock against it.
// STDOUT: 20
#include "own_lock.h"
#include <pthread.h>
#include <stdio.h>
static OwnLock a, b;
static int n_times;

static void *forward(void *unused) {
    for (int i = 0; i < 10; i++) {
        own_lock(&a);
        own_lock(&b);
        n_times++;
        own_unlock(&b);
        own_unlock(&a);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, forward, NULL);
    forward(NULL);
    pthread_join(thread, NULL);
    own_lock(&b);
    __tsan_mutex_pre_lock(&a, TRY_LOCK);
    int was_taken = __atomic_exchange_n(&a.is_taken, 1, __ATOMIC_SEQ_CST);
    __tsan_mutex_post_lock(&a, TRY_LOCK | (was_taken ? TRY_LOCK_FAILED : 0), 0);
    if (!was_taken) own_unlock(&a);
    own_unlock(&b);
    printf("%d\n", n_times);
    return 0;
}
