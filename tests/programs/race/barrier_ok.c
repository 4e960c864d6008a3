// The twin of barrier: three threads, a barrier before and after every reading of the others.
// STDOUT: one serial thread per round: yes
// STDOUT: 9
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, ROUNDS = 2 };

static pthread_barrier_t barrier;
static int cells[THREADS], sums[THREADS], serials[THREADS];

static void *worker(void *argument) {
    int self = *(int *)argument;
    for (int round = 0; round < ROUNDS; round++) {
        cells[self] = self + round;
        serials[self] += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
        for (int other = 0; other < THREADS; other++) sums[self] += cells[other];
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    int numbers[THREADS] = {0, 1, 2};
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, worker, &numbers[i])) return 1;
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
    printf("one serial thread per round: %s\n",
           serials[0] + serials[1] + serials[2] == ROUNDS ? "yes" : "no");
    printf("%d\n", sums[0] == sums[1] && sums[1] == sums[2] ? sums[0] : -1);
    return 0;
}
