// A block is freed under a lock and used under the same lock: ordered, and yet too late.
// SANITIZE: thread
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t is_freed;
static volatile int *block;

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    free((void *)block); // PREVIOUS: write 8
    pthread_mutex_unlock(&lock);
    sem_post(&is_freed);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&is_freed, 0, 0);
    block = malloc(100);
    block[0] = 1;
    pthread_create(&thread, NULL, worker, NULL);
    sem_wait(&is_freed);
    pthread_mutex_lock(&lock);
    block[0] = 42; // EXPECT: heap-use-after-free write 4
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    sem_destroy(&is_freed);
}
