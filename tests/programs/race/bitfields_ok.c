// The twin of bitfields: a zero-width field starts a new byte, so each field has its own.
// STDOUT: 1 1
#include <pthread.h>
#include <stdio.h>

struct status {
    unsigned char ready : 1;
    unsigned char : 0;
    unsigned char failed : 1;
};

static volatile struct status status;

static void *worker(void *argument) {
    status.ready = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    status.failed = 1;
    pthread_join(thread, NULL);
    printf("%d %d\n", status.ready, status.failed);
    return 0;
}
