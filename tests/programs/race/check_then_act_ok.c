// Looking whether a block is freed and saying so is one atomic step.
// EXIT: 0
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int is_freed;

static void *drop(void *block) {
    if (!atomic_exchange(&is_freed, 1)) free(block);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    void *block = malloc(8);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, drop, block);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
