// A function of on_exit counts what a thread has counted that nobody has joined.
// STDOUT: status 0, argument 42
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int counter;
static atomic_int counted;

static void at_end(int status, void *argument) {
    counter++; // EXPECT: data race 4
    printf("status %d, argument %ld\n", status, (long)argument);
}

static void *work(void *unused) {
    counter++; // PREVIOUS: write 4
    atomic_store_explicit(&counted, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    on_exit(at_end, (void *)42L);
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    while (!atomic_load_explicit(&counted, memory_order_relaxed)) usleep(10);
    return 0;
}
