// The consumer waits properly, but looks at the second field after it has left the mutex.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;
static volatile int total;

static void *producer(void *argument) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    total = 10; // PREVIOUS: write 4
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, producer, NULL)) return 1;
    pthread_mutex_lock(&lock);
    while (!ready) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    int seen = total; // EXPECT: data race read 4
    pthread_join(thread, NULL);
    printf("%d\n", seen >= 0);
    return 0;
}
