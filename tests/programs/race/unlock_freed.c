// A job is freed by a thread that has locked it, and unlocked afterwards.
// SANITIZE: thread
// NATIVE: false-alarm ThreadSanitizer adds an unlock of what is not locked: the free ended it
#include <pthread.h>
#include <stdlib.h>

struct job {
    int left;
    pthread_mutex_t mutex;
};

static void *finish(void *argument) {
    struct job *job = argument;
    pthread_mutex_t *mutex = &job->mutex;
    pthread_mutex_lock(mutex);
    if (--job->left == 0) free(job); // PREVIOUS: write 8
    pthread_mutex_unlock(mutex); // EXPECT: heap-use-after-free atomic read 1
    return NULL;
}

int main(void) {
    pthread_t worker;
    struct job *job = calloc(1, sizeof *job);
    if (!job || pthread_mutex_init(&job->mutex, NULL)) return 1;
    job->left = 1;
    if (pthread_create(&worker, NULL, finish, job)) return 1;
    pthread_join(worker, NULL);
    return 0;
}
