// Two threads of one line each look whether a block is freed, then free it: both may.
// SEEDS: some the other thread has to come between two accesses
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int is_freed;

static void *drop(void *block) {
    if (atomic_load(&is_freed)) return NULL;
    atomic_store(&is_freed, 1);
    free(block); // EXPECT: double-free
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    void *block = malloc(8);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, drop, block);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
