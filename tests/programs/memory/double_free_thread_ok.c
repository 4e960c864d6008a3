// The twin of double_free_thread: allocated in main, freed once, in a thread.
// STDOUT: freed
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *volatile block;

static void *release(void *argument) {
    free(block);
    block = NULL;
    return argument;
}

int main(void) {
    block = malloc(100);
    pthread_t thread;
    if (pthread_create(&thread, NULL, release, NULL)) return 1;
    pthread_join(thread, NULL);
    free(block);
    puts("freed");
    return 0;
}
