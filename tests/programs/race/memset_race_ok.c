// The twin of memset_race: the parts meet at byte 100.
// STDOUT: 1 2
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *buffer;
static volatile size_t part_bytes = 100;

static void *worker(void *argument) {
    memset(buffer, 1, part_bytes);
    return argument;
}

int main(void) {
    pthread_t thread;
    buffer = malloc(200);
    if (!buffer || pthread_create(&thread, NULL, worker, NULL)) return 1;
    memset(buffer + 100, 2, part_bytes);
    pthread_join(thread, NULL);
    printf("%d %d\n", buffer[99], buffer[100]);
    free(buffer);
    return 0;
}
