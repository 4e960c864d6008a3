// Both main and a thread free the same block, one after the other.
#include <pthread.h>
#include <stdlib.h>

static void *volatile block;

static void *release(void *argument) {
    free(block); // FREED
    return argument;
}

int main(void) {
    block = malloc(100); // ALLOCATED
    pthread_t thread;
    if (pthread_create(&thread, NULL, release, NULL)) return 1; // THREAD-CREATED
    pthread_join(thread, NULL);
    free(block); // EXPECT: double-free
    return 0;
}
