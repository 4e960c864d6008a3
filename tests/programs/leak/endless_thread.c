// NATIVE: miss at -O0 a stale word on the stack hides it
// A thread that only sleeps has overwritten its variable before.
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static volatile int is_ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static __attribute__((noinline)) void lose(void) {
    volatile char *block = malloc(38); // EXPECT: direct-leak 38
    block[0] = 1;
}

static void *work(void *unused) {
    lose();
    pthread_mutex_lock(&lock);
    is_ready = 1;
    pthread_mutex_unlock(&lock);
    for (;;) sched_yield();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    for (int done = 0; !done;) {
        sched_yield();
        pthread_mutex_lock(&lock);
        done = is_ready;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
