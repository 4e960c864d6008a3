// The twin of unlock_freed: the job is freed once it is unlocked.
// STDOUT: freed
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct job {
    int left;
    pthread_mutex_t mutex;
};

static void *finish(void *argument) {
    struct job *job = argument;
    pthread_mutex_lock(&job->mutex);
    int left = --job->left;
    pthread_mutex_unlock(&job->mutex);
    if (left == 0) {
        pthread_mutex_destroy(&job->mutex);
        free(job);
        puts("freed");
    }
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
