// Two bit-fields share one byte: writing either rewrites both.
#include <pthread.h>
#include <stdio.h>

struct status {
    unsigned char ready : 1;
    unsigned char failed : 1;
};

static volatile struct status status;

static void *worker(void *argument) {
    status.ready = 1; // PREVIOUS
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    status.failed = 1; // EXPECT: data race
    pthread_join(thread, NULL);
    printf("%d\n", status.ready | status.failed);
    return 0;
}
