// The twin of double_checked: acquire load and release store.
// STDOUT: 7 7
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(int *) instance;

static int *get(void) {
    int *found = atomic_load_explicit(&instance, memory_order_acquire);
    if (found) return found;
    pthread_mutex_lock(&lock);
    found = atomic_load_explicit(&instance, memory_order_relaxed);
    if (!found) {
        found = malloc(sizeof *found);
        if (!found) exit(1);
        *found = 7;
        atomic_store_explicit(&instance, found, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static void *worker(void *argument) {
    *(int *)argument = *get();
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int seen[2];
    for (int i = 0; i < 2; i++) {
        if (pthread_create(&threads[i], NULL, worker, &seen[i])) return 1;
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%d %d\n", seen[0], seen[1]);
    free(atomic_load(&instance));
    return 0;
}
