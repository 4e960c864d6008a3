// The twin of memcpy_race: the byte lies just behind the copied part.
// STDOUT: 0
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char message[64];

static void *worker(void *argument) {
    volatile char *byte = &message[40];
    *byte = 'x';
    return argument;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    char copy[64];
    size_t size_bytes = 39 + (size_t)argc;
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    memcpy(copy, message, size_bytes);
    pthread_join(thread, NULL);
    printf("%d\n", copy[argc]);
    return 0;
}
