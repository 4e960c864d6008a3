// A mutex is destroyed, made anew, and used.
// STDOUT: done
#include <pthread.h>
#include <stdio.h>

int main(void) {
    pthread_mutex_t mutex;
    for (int i = 0; i < 3; i++) {
        pthread_mutex_init(&mutex, NULL);
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        pthread_mutex_destroy(&mutex);
    }
    puts("done");
    return 0;
}
