// A mutex is locked after its destruction.
#include <pthread.h>
#include <stdio.h>

int main(void) {
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, NULL);
    pthread_mutex_destroy(&mutex);
    int status =
        pthread_mutex_lock( // EXPECT: use of an invalid mutex (e.g. uninitialized or destroyed)
            &mutex);
    printf("%d\n", status != 0);
    return 0;
}
