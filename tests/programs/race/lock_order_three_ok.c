// Three threads, three mutexes, each pair in the order of the array.
// STDOUT: done
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t locks[3] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *two(void *first) {
    long i = (long)first == 2 ? 0 : (long)first;
    long next = (long)first == 2 ? 2 : i + 1;
    pthread_mutex_lock(&locks[i]);
    pthread_mutex_lock(&locks[next]);
    pthread_mutex_unlock(&locks[next]);
    pthread_mutex_unlock(&locks[i]);
    return NULL;
}

int main(void) {
    for (long i = 0; i < 3; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, two, (void *)i);
        pthread_join(thread, NULL);
    }
    puts("done");
    return 0;
}
