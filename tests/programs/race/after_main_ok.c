// What threads do behind main's end is under a lock; others spin, sleep on and wait for ever.
// STDOUT: counted
// EXIT: 3
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static atomic_int turns;
static int counted;

static void *count(void *unused) {
    pthread_mutex_lock(&lock);
    counted++;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *spin(void *unused) {
    for (;;) atomic_fetch_add(&turns, 1);
    return unused;
}

static void *sleep_on(void *unused) {
    for (;;) usleep(10);
    return unused;
}

static void *wait_on(void *unused) {
    pthread_mutex_lock(&held);
    for (;;) pthread_cond_wait(&never, &held);
    return unused;
}

static void *exit_as_well(void *unused) {
    usleep(1000);
    exit(4);
    return unused;
}

static void told(void) { puts("counted"); }

int main(void) {
    void *(*routines[])(void *) = {count, spin, sleep_on, wait_on, exit_as_well};
    pthread_t thread;
    atexit(told);
    for (int i = 0; i < 5; i++) {
        pthread_create(&thread, NULL, routines[i], NULL);
        pthread_detach(thread);
    }
    count(NULL);
    return 3;
}
