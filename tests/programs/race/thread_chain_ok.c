// The twin of thread_chain: joins along the chain order everything.
// STDOUT: 3
#include <pthread.h>
#include <stdio.h>

static int shared;

static void *grandchild(void *argument) {
    shared += 1;
    return argument;
}

static void *child(void *argument) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, grandchild, NULL)) return NULL;
    pthread_join(thread, NULL);
    shared += 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, child, NULL)) return 1;
    pthread_join(thread, NULL);
    shared += 1;
    printf("%d\n", shared);
    return 0;
}
