// A pool says that a block is somebody else's now: the report names that place and thread.
#include <pthread.h>
#include <stdlib.h>

int __asan_update_allocation_context(void *block);

static volatile char *volatile block;

static void *take_over(void *unused) {
    __asan_update_allocation_context((void *)block); // ALLOCATED
    return unused;
}

int main(void) {
    pthread_t thread;
    block = malloc(10);
    pthread_create(&thread, NULL, take_over, NULL);
    pthread_join(thread, NULL);
    free((void *)block); // FREED
    return block[5];     // EXPECT: heap-use-after-free read 1
}
