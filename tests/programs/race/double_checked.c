// Double-checked locking with a plain pointer: the first check races with the store.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *volatile instance;

static int *get(void) {
    if (!instance) { // PREVIOUS: read 8
        pthread_mutex_lock(&lock);
        if (!instance) {
            instance = malloc(sizeof *instance); // EXPECT: data race write 8
        }
        pthread_mutex_unlock(&lock);
    }
    return instance; // PREVIOUS: read 8
}

static void *worker(void *argument) {
    return get() ? argument : NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        if (pthread_create(&threads[i], NULL, worker, NULL)) return 1;
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    free(instance);
    puts("done");
    return 0;
}
