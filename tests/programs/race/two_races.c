// Two unrelated races: both must be reported, each with its own lines.
#include <pthread.h>
#include <stdio.h>

static volatile int first;
static volatile char second __attribute__((aligned(64)));

static void *worker(void *argument) {
    first = 1; // EXPECT: data race write 4
    second = 1; // EXPECT: data race write 1
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    first = 2;
    second = 2;
    pthread_join(thread, NULL);
    printf("%d\n", first > 0 && second > 0);
    return 0;
}
