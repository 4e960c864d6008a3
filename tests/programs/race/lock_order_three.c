// Three threads, three mutexes, a circle: each pair alone is harmless.
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t locks[3] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *two(void *first) {
    long i = (long)first;
    pthread_mutex_lock(&locks[i]);
    pthread_mutex_lock(&locks[(i + 1) % 3]); // EXPECT: lock-order-inversion (potential deadlock)
    pthread_mutex_unlock(&locks[(i + 1) % 3]);
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
