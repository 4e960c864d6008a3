// The twin of counter_mutex: every adder holds the mutex.
// STDOUT: 40
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int counter;

static void *careful(void *argument) {
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&lock);
        counter += 1;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        if (pthread_create(&threads[i], NULL, careful, NULL)) return 1;
    }
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    printf("%d\n", counter);
    return 0;
}
