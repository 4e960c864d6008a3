// EXIT: 0
// NATIVE: skip at -O1 the pointer is in no register when the loop runs
// A thread that only sleeps from now on has not lost the block in its variable.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int is_ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    char *block = malloc(37);
    printf("%d\n", block != NULL);
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
