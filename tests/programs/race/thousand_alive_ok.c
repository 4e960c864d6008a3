// A thousand threads alive at once that share a lock, a barrier, and words of their own.
// STDOUT: 1000 499500
// SEEDS: few a thousand threads
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 1000 };

static pthread_barrier_t everybody;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int arrived;
static long own[THREADS];

static void *worker(void *argument) {
    long number = (long)argument;
    pthread_mutex_lock(&lock);
    arrived++;
    pthread_mutex_unlock(&lock);
    own[(number + 1) % THREADS] = number;
    pthread_barrier_wait(&everybody);
    own[number]++; // the neighbour wrote it before the barrier
    return NULL;
}

int main(void) {
    static pthread_t threads[THREADS];
    long sum = -THREADS;
    if (pthread_barrier_init(&everybody, NULL, THREADS)) return 1;
    for (long i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, worker, (void *)i)) return 1;
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) sum += own[i];
    pthread_barrier_destroy(&everybody);
    printf("%d %ld\n", arrived, sum);
    return 0;
}
