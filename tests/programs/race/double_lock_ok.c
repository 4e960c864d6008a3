// A thread locks a recursive mutex that it holds already.
// STDOUT: done
#include <pthread.h>
#include <stdio.h>

int main(void) {
    pthread_mutexattr_t recursive;
    pthread_mutex_t mutex;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &recursive);
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_destroy(&mutex);
    puts("done");
    return 0;
}
