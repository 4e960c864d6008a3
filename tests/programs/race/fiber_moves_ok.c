// A fiber is begun by one thread and goes on in another, with its own locks and calls.
// STDOUT: 3 rounds
#include "fibers.h"
#include <pthread.h>
#include <stdio.h>
static Fiber first_home, second_home, worker;
static Fiber *current_home;
static int rounds;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void one_round(void) {
    pthread_mutex_lock(&mutex);
    rounds++;
    pthread_mutex_unlock(&mutex);
    fiber_switch(worker, *current_home, SYNC);
}

static void work(void) {
    for (;;) one_round();
}

static void *resume(void *unused) {
    second_home.fiber = __tsan_get_current_fiber();
    current_home = &second_home;
    fiber_switch(second_home, worker, SYNC);
    fiber_switch(second_home, worker, SYNC);
    return unused;
}

int main(void) {
    pthread_t thread;
    first_home.fiber = __tsan_get_current_fiber();
    fiber_make(&worker, work);
    __tsan_set_fiber_name(worker.fiber, "worker");
    current_home = &first_home;
    fiber_switch(first_home, worker, SYNC);
    pthread_create(&thread, NULL, resume, NULL);
    pthread_join(thread, NULL);
    __tsan_destroy_fiber(worker.fiber);
    printf("%d rounds\n", rounds);
    return 0;
}
