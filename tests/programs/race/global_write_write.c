// Two threads write one global and nothing orders them.
#include <pthread.h>
#include <stdio.h>

static volatile int total;

static void *worker(void *argument) {
    total = 1; // PREVIOUS: write 4
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL)) return 1; // THREAD-CREATED
    total = 2; // EXPECT: data race write 4
    pthread_join(thread, NULL);
    printf("%s\n", total ? "set" : "unset");
    return 0;
}
