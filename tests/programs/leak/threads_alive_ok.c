// Threads that live when the program ends: on their stacks, in registers, as arguments.
// FLAGS: TSAN_OPTIONS=report_thread_leaks=0
// EXIT: 0
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local volatile char *own;

static void *wait(void *argument) {
    volatile char *block = argument;
    volatile char *second = malloc(90);
    own = malloc(91);
    second[0] = own[0] = 1;
    pthread_mutex_lock(&lock);
    return (void *)(block + second[0]);
}

static void *give(void *unused) {
    (void)unused;
    return malloc(92);
}

static void start(void *(*routine)(void *), int is_detached) {
    pthread_t thread;
    volatile char *block = malloc(93);
    block[0] = 1;
    pthread_create(&thread, NULL, routine, (void *)block);
    if (is_detached) pthread_detach(thread);
}

static void start_giver(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, give, NULL);
}

int main(void) {
    pthread_mutex_lock(&lock);
    start(wait, 0);
    start(wait, 1);
    start_giver();
    usleep(1000);
    start(wait, 0);
    exit(0);
}
