// A mutex is unlocked that nobody has locked.
#include <pthread.h>
#include <stdio.h>

int main(void) {
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex); // EXPECT: unlock of an unlocked mutex (or by a wrong thread)
    pthread_mutex_destroy(&mutex);
    puts("done");
    return 0;
}
