// A thread frees the block it was handed; main reads it after the join: ordered, but too late.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *consume(void *argument) {
    free(argument); // FREED
    return NULL;
}

int main(void) {
    volatile long *message = malloc(sizeof *message); // ALLOCATED
    if (!message) return 1;
    *message = 42;
    pthread_t consumer;
    if (pthread_create(&consumer, NULL, consume, (void *)message)) return 1;
    pthread_join(consumer, NULL);
    long value = *message; // EXPECT: heap-use-after-free read 8
    printf("%ld\n", value);
    return 0;
}
