// Two threads clear overlapping parts of one buffer.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *buffer;
static volatile size_t part_bytes = 100;

static void *worker(void *argument) {
    memset(buffer, 1, part_bytes); // PREVIOUS: write
    return argument;
}

int main(void) {
    pthread_t thread;
    buffer = malloc(160);
    if (!buffer || pthread_create(&thread, NULL, worker, NULL)) return 1;
    memset(buffer + 60, 1, part_bytes); // EXPECT: data race write
    pthread_join(thread, NULL);
    printf("%d\n", buffer[70]);
    free(buffer);
    return 0;
}
