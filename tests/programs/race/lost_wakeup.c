// The signal comes before the wait, and nobody looks at a flag: the thread sleeps for ever.
// NATIVE: skip it hangs there
// EXIT: 66
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *waiter(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&condition, &mutex); // EXPECT: lost wakeup (all threads asleep for ever)
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_cond_signal(&condition);
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_join(thread, NULL);
    puts("never");
    return 0;
}
