// Four threads add to one counter; one of the two adders forgets the mutex.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int counter;

static void *careful(void *argument) {
    pthread_mutex_lock(&lock);
    counter += 1; // PREVIOUS
    pthread_mutex_unlock(&lock);
    return argument;
}

static void *careless(void *argument) {
    counter += 1; // EXPECT: data race
    return argument;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        if (pthread_create(&threads[i], NULL, i == 2 ? careless : careful, NULL)) return 1;
    }
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    printf("%s\n", counter > 0 ? "positive" : "zero");
    return 0;
}
