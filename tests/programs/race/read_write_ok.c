// The twin of read_write: written before the thread exists; then everybody only reads.
// STDOUT: 2 2
#include <pthread.h>
#include <stdio.h>

static volatile short limit = 1;

static void *reader(void *argument) {
    int *seen = argument;
    *seen = limit;
    return NULL;
}

int main(void) {
    pthread_t thread;
    int seen = 0;
    limit = 2;
    if (pthread_create(&thread, NULL, reader, &seen)) return 1;
    int mine = limit;
    pthread_join(thread, NULL);
    printf("%d %d\n", seen, mine);
    return 0;
}
