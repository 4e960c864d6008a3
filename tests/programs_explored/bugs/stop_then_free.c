// Main asks the worker to stop and frees its buffer, before the worker has seen the request.
// KIND: use after free by race
// FAILS: heap-use-after-free
// WHEN: main runs on from its request to the free while the worker is inside of a round
// PREEMPTIONS: 1
// RACES: free is not ordered after the use
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int stop;
static atomic_int *buffer;
static sem_t is_half_done;

static void *worker(void *unused) {
    for (int round = 0; round < 4 && !atomic_load(&stop); round++) {
        if (round == 2) sem_post(&is_half_done);
        for (int i = 0; i < 2; i++) atomic_fetch_add(&buffer[i], round);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&is_half_done, 0, 0);
    buffer = calloc(2, sizeof *buffer);
    if (pthread_create(&thread, NULL, worker, NULL)) return 2;
    sem_wait(&is_half_done);
    atomic_store(&stop, 1);
#ifdef FIXED
    pthread_join(thread, NULL);
    free(buffer);
#else
    free(buffer);
    pthread_join(thread, NULL);
#endif
    sem_destroy(&is_half_done);
    return 0;
}
