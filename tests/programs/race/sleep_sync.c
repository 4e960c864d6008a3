// Sleeping long enough is no synchronisation.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static volatile int message;

static void *worker(void *argument) {
    message = 7; // PREVIOUS: write 4
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    usleep(20000);
    int seen = message; // EXPECT: data race read 4
    pthread_join(thread, NULL);
    printf("%d\n", seen >= 0);
    return 0;
}
