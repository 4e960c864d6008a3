// The twin of handoff_use_after_free: the block belongs to the thread from the hand-over on.
// STDOUT: 42
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *consume(void *argument) {
    long *message = argument;
    printf("%ld\n", *message);
    free(message);
    return NULL;
}

int main(void) {
    long *message = malloc(sizeof *message);
    if (!message) return 1;
    *message = 42;
    pthread_t consumer;
    if (pthread_create(&consumer, NULL, consume, message)) return 1;
    pthread_join(consumer, NULL);
    return 0;
}
