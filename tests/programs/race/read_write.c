// A thread reads a configuration that main is still writing.
#include <pthread.h>
#include <stdio.h>

static volatile short limit = 1;

static void *reader(void *argument) {
    int *seen = argument;
    *seen = limit; // PREVIOUS: read 2
    return NULL;
}

int main(void) {
    pthread_t thread;
    int seen = 0;
    if (pthread_create(&thread, NULL, reader, &seen)) return 1;
    limit = 2; // EXPECT: data race write 2
    pthread_join(thread, NULL);
    printf("%d\n", seen > 0);
    return 0;
}
