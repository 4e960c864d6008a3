// Four threads pass a token on: each copies its neighbour's, and all should be the same in the end.
// KIND: ordering
// FAMILY: token ring
// FAILS: exit 1
// WHEN: a thread copies before its neighbour has
// PREEMPTIONS: 0
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

enum { THREADS = 4 };

static atomic_int tokens[THREADS];
static sem_t turns[THREADS + 1];
static int numbers[THREADS] = {0, 1, 2, 3};

static void *pass(void *argument) {
    int me = *(int *)argument;
#ifdef FIXED
    sem_wait(&turns[me]);
#endif
    atomic_store(&tokens[me], me == 0 ? 7 : atomic_load(&tokens[me - 1]));
    sem_post(&turns[me + 1]);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    int n_wrong = 0;
    for (int i = 0; i <= THREADS; i++) sem_init(&turns[i], 0, i == 0);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, pass, &numbers[i])) return 2;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) n_wrong += atomic_load(&tokens[i]) != 7;
    for (int i = 0; i <= THREADS; i++) sem_destroy(&turns[i]);
    return n_wrong != 0;
}
