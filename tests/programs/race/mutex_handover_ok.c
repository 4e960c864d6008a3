// A heap object that contains its own mutex dies with its last reference, under that protocol.
// STDOUT: destroyed
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct object {
    pthread_mutex_t lock;
    int references;
};

static void drop(struct object *object) {
    pthread_mutex_lock(&object->lock);
    int left = --object->references;
    pthread_mutex_unlock(&object->lock);
    if (left) return;
    pthread_mutex_destroy(&object->lock);
    free(object);
    puts("destroyed");
}

static void *worker(void *argument) {
    drop(argument);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    struct object *object = malloc(sizeof *object);
    if (!object) return 1;
    pthread_mutex_init(&object->lock, NULL);
    object->references = 3;
    for (int i = 0; i < 3; i++) {
        if (pthread_create(&threads[i], NULL, worker, object)) return 1;
    }
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
