// Threads that do nothing but synchronise: clocks.c WORKLOAD THREADS ROUNDS
//   barrier    all threads meet, ROUNDS times
//   single     every thread takes the one lock
//   star       a server takes the lock of one client after the other; each client takes its own
//   pairwise   every thread takes in turn the locks that it shares with its two neighbours
//   none       threads are made and joined: what must be subtracted
// Prints how many lock and barrier operations were done.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_THREADS = 1000 };

static pthread_barrier_t everybody;
static pthread_mutex_t locks[MAX_THREADS];
static long counters[MAX_THREADS];
static long n_threads, n_rounds;

static void take(long lock) {
    pthread_mutex_lock(&locks[lock]);
    counters[lock]++;
    pthread_mutex_unlock(&locks[lock]);
}

static void *meet(void *argument) {
    for (long i = 0; i < n_rounds; i++) pthread_barrier_wait(&everybody);
    return argument;
}

static void *single(void *argument) {
    for (long i = 0; i < n_rounds; i++) take(0);
    return argument;
}

static void *star(void *argument) {
    long self = (long)argument;
    for (long i = 0; i < n_rounds; i++) take(self ? self : 1 + i % (n_threads - 1));
    return argument;
}

static void *pairwise(void *argument) {
    long self = (long)argument;
    for (long i = 0; i < n_rounds; i++) take((self + i % 2) % n_threads);
    return argument;
}

static void *none(void *argument) { return argument; }

int main(int argc, char **argv) {
    static const struct { const char *name; void *(*body)(void *); } workloads[] = {
        {"barrier", meet}, {"single", single}, {"star", star}, {"pairwise", pairwise},
        {"none", none},
    };
    static pthread_t threads[MAX_THREADS];
    void *(*body)(void *) = NULL;
    if (argc != 4) return 2;
    for (int i = 0; i < 5; i++) {
        if (strcmp(argv[1], workloads[i].name) == 0) body = workloads[i].body;
    }
    n_threads = atol(argv[2]);
    n_rounds = atol(argv[3]);
    if (body == NULL || n_threads < 2 || n_threads > MAX_THREADS) return 2;
    pthread_barrier_init(&everybody, NULL, (unsigned)n_threads);
    for (long i = 0; i < n_threads; i++) pthread_mutex_init(&locks[i], NULL);
    for (long i = 0; i < n_threads; i++) {
        if (pthread_create(&threads[i], NULL, body, (void *)i)) return 1;
    }
    for (long i = 0; i < n_threads; i++) pthread_join(threads[i], NULL);
    printf("%ld\n", body == none ? 0 : n_threads * n_rounds);
    return 0;
}
