// Two locks of the program's own are taken in opposite order, one after the other.
#include "own_lock.h"
#include <pthread.h>
#include <stdio.h>
static OwnLock a, b;

static void *forward(void *unused) {
    own_lock(&a);
    own_lock(&b);
    own_unlock(&b);
    own_unlock(&a);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, forward, NULL);
    pthread_join(thread, NULL);
    own_lock(&b);
    __tsan_mutex_pre_lock(&a, 0); // EXPECT: lock-order-inversion (potential deadlock)
    a.is_taken = 1;
    __tsan_mutex_post_lock(&a, 0, 0);
    own_unlock(&a);
    own_unlock(&b);
    puts("done");
    return 0;
}
