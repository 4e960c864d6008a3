// A mutex is destroyed while it is locked.
#include <pthread.h>
#include <stdio.h>

int main(void) {
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_destroy(&mutex); // EXPECT: destroy of a locked mutex
    puts("done");
    return 0;
}
