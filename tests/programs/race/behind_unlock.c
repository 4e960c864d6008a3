// A job is looked at behind the unlock that lets the other user free it.
// SANITIZE: address
// SEEDS: some the other thread has to come between two accesses
#include <pthread.h>
#include <stdlib.h>

struct job { pthread_mutex_t lock; int users, number; };

static void *done(void *passed) {
    struct job *job = passed;
    pthread_mutex_lock(&job->lock);
    int left = --job->users;
    pthread_mutex_unlock(&job->lock);
    if (left) return job->number > 1 ? job : NULL; // EXPECT: heap-use-after-free read 4
    free(job); // FREED
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    struct job *job = malloc(sizeof *job);
    pthread_mutex_init(&job->lock, NULL);
    job->users = 2;
    job->number = 1;
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, done, job);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
