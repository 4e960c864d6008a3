// The twin of wrong_mutex: one mutex of each type (normal, recursive, error-checking), used right.
// STDOUT: 9
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t locks[3];
static volatile int shared[3];

static void add(int which, int amount) {
    pthread_mutex_lock(&locks[which]);
    if (which == 1) pthread_mutex_lock(&locks[1]);
    shared[which] += amount;
    if (which == 1) pthread_mutex_unlock(&locks[1]);
    pthread_mutex_unlock(&locks[which]);
}

static void *worker(void *argument) {
    for (int i = 0; i < 3; i++) add(i, 1);
    return argument;
}

int main(void) {
    const int types[] = {
        PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK};
    for (int i = 0; i < 3; i++) {
        pthread_mutexattr_t attributes;
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_settype(&attributes, types[i]);
        pthread_mutex_init(&locks[i], &attributes);
        pthread_mutexattr_destroy(&attributes);
    }
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    for (int i = 0; i < 3; i++) add(i, 2);
    pthread_join(thread, NULL);
    for (int i = 0; i < 3; i++) pthread_mutex_destroy(&locks[i]);
    printf("%d\n", shared[0] + shared[1] + shared[2]);
    return 0;
}
