// A thread unlocks the mutex of another one.
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *unused) {
    pthread_mutex_unlock(&mutex); // EXPECT: unlock of an unlocked mutex (or by a wrong thread)
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    puts("done");
    return 0;
}
