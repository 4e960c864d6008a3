// The twin of global_write_write: the join orders the two writes.
// STDOUT: 2
#include <pthread.h>
#include <stdio.h>

static volatile int total;

static void *worker(void *argument) {
    total = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    pthread_join(thread, NULL);
    total = 2;
    printf("%d\n", total);
    return 0;
}
