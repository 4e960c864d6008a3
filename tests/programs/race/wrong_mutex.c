// Both sides hold a mutex, but not the same one.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static volatile int shared;

static void *worker(void *argument) {
    pthread_mutex_lock(&first);
    shared = 1; // PREVIOUS: write 4
    pthread_mutex_unlock(&first);
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    pthread_mutex_lock(&second);
    shared = 2; // EXPECT: data race write 4
    pthread_mutex_unlock(&second);
    pthread_join(thread, NULL);
    printf("%d\n", shared > 0);
    return 0;
}
