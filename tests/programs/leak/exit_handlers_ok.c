// Functions that run at exit use and free what globals keep; a cleanup handler's block is alive.
// STDOUT: handler 7
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int *value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void finish(void) {
    printf("handler %d\n", *value);
    free(value);
}

static void *work(void *unused) {
    pthread_cleanup_push(free, malloc(10));
    pthread_mutex_lock(&lock);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    value = malloc(sizeof *value);
    *value = 7;
    atexit(finish);
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, work, NULL);
    return 0;
}
