// Two threads wait for each other's mutex.
// NATIVE: skip it hangs there
// FLAGS: TSAN_OPTIONS=detect_deadlocks=0
// EXIT: 66
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;

static void *forward(void *unused) {
    pthread_mutex_lock(&a);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&b); // EXPECT: deadlock
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *backward(void *unused) {
    pthread_mutex_lock(&b);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&threads[0], NULL, forward, NULL);
    pthread_create(&threads[1], NULL, backward, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    puts("never");
    return 0;
}
