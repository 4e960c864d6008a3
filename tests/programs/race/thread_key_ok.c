// Thread-specific keys, with a destructor that runs at thread end.
// STDOUT: 3 destroyed, sum 6
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_key_t key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int destroyed, sum;

static void destroy(void *value) {
    pthread_mutex_lock(&lock);
    destroyed += 1;
    sum += *(int *)value;
    pthread_mutex_unlock(&lock);
    free(value);
}

static void *worker(void *argument) {
    int *value = malloc(sizeof *value);
    if (!value) return NULL;
    *value = *(int *)argument;
    pthread_setspecific(key, value);
    return pthread_getspecific(key) == value ? argument : NULL;
}

int main(void) {
    pthread_t threads[3];
    int numbers[3] = {1, 2, 3};
    if (pthread_key_create(&key, destroy)) return 1;
    for (int i = 0; i < 3; i++) {
        if (pthread_create(&threads[i], NULL, worker, &numbers[i])) return 1;
    }
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    pthread_key_delete(key);
    printf("%d destroyed, sum %d\n", destroyed, sum);
    return 0;
}
