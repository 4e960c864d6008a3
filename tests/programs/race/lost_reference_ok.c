// A reference count goes down in one critical section: the last thread frees.
// EXIT: 0
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int references = 2;

static void *drop(void *block) {
    pthread_mutex_lock(&lock);
    int left = --references;
    pthread_mutex_unlock(&lock);
    if (left == 0) free(block);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    void *block = malloc(24);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, drop, block);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
