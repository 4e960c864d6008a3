// The twin of threads_alive: each of them holds the lock; and many more threads one after another.
// ONLY: -O1 many threads take their time
// STDOUT: 1100 3000
// SEEDS: few a thousand threads
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 1100, LATER = 3000 };

static pthread_barrier_t all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n_met, n_later;

static void *work(void *argument) {
    pthread_barrier_wait(&all);
    pthread_mutex_lock(&lock);
    n_met++;
    pthread_mutex_unlock(&lock);
    return argument;
}

static void *follow(void *argument) {
    n_later++;
    return argument;
}

int main(void) {
    static pthread_t threads[THREADS];
    pthread_barrier_init(&all, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, work, NULL)) return 1;
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < LATER; i++) {
        if (pthread_create(&threads[0], NULL, follow, NULL)) return 1;
        pthread_join(threads[0], NULL);
    }
    printf("%d %d\n", n_met, n_later);
    return 0;
}
